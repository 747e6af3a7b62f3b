"""Privacy budgets: exact amounts, the events that spend them, and how events compose."""
