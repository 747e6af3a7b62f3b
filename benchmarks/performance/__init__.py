"""How fast dpduck is, each time beside something measured in the same run."""
