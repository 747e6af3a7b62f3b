"""Expressions of Ibis are imported by the one test that needs them: there are environments without Ibis."""

collect_ignore = ["ibis_expressions.py"]
