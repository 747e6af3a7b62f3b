"""Translates scalar expressions over private rows to SQL that is total, deterministic and of bounded cost.

The function table in `query/functions` names a writer for each operator and function; the writers are here.
The `*_domains` modules compute the public domain of an expression, and `bounds` its public range.
"""
