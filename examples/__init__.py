"""Small programs that run as they stand; tests/documents/test_examples.py runs them."""
