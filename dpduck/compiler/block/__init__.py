"""Reads a SELECT over private rows, clause by clause, into an aggregate query."""
