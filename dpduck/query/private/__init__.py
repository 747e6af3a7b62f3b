"""Expressions over one private row, as fresh SQL: total, deterministic, and of a cost that the row bounds.

`expressions` reads a tree by the table in `functions`; the files of operators write its parts; those of
domains say which public values an expression can have, and `bounds` between which ends it lies.
"""
