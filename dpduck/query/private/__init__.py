"""Functions over one private row, as fresh SQL: total, deterministic, and of a cost that the row bounds.

The files of operators write them, as the table in `query/functions` says; those of domains say which public
values an expression can have, and `bounds` between which ends it lies.
"""
