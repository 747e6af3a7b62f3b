"""What the documents say of themselves and of the repository."""
