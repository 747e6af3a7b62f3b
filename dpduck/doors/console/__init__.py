"""Answers, errors, reports and progress on a terminal or in files."""
