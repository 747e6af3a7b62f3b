"""Other tools on the same jobs."""
