"""One statement from its text to its answer: settings, preparation, the charge, the data line, results."""
