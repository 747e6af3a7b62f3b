"""A SELECT over private rows, read clause by clause into an aggregate query."""
