"""From SQL text to one statement."""
