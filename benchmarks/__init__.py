"""How fast dpduck is and how small its errors are, each figure with the run that it came from."""
