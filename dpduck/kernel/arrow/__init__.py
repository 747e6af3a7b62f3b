"""Lossless conversions between Arrow arrays, numpy vectors and text."""
