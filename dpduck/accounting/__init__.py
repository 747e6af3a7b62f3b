"""Privacy budgets: exact amounts, the events that spend them, and what events add up to."""
