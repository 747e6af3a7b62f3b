"""Who asks, and how: each door passes statements to `dpduck.answers`, and shows what comes back."""
