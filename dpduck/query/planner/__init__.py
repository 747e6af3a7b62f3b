"""From an aggregate query to the best plan: mechanism, score SQL, answer SQL."""
