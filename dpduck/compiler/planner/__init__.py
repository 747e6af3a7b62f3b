"""Turns an aggregate query into the best plan: its mechanisms, score SQL and answer SQL."""
