"""What Superset's own Python runs is no module of the tests."""

collect_ignore = ["start.py"]
