"""Translates scalar expressions over private rows to SQL that is total, deterministic and of bounded cost.

The function table in `compiler/functions` names a writer for each operator and function; writers are here.
The `*_domains` modules compute the public domain of an expression, and `bounds` its public range.
"""
