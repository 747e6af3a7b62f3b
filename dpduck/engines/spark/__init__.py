"""Spark as the engine."""
