"""How near answers are to the truth: one module for each kind of question, which prints its tables."""
