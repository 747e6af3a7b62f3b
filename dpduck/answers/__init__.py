"""The execution of a statement, from text to answer: settings, preparation, charge, data line, results."""
