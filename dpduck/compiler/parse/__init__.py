"""Parses SQL text into one statement."""
