"""`python -m benchmarks semantics`: is each answer what plain DuckDB answers, in value and in type?

rows          the rows: every type with its ends, NULL and NaN, public and of people
grammar       the forms of all functions and operators, from the function table and from DuckDB's signatures
shapes        what an argument is written as: a column, a literal, a cast, NULL, an end, a subquery, a list
plain         what plain DuckDB makes of an expression, row by row
places        where an expression stands: WHERE, a key, an aggregate, HAVING, FILTER, a released or public row
values        what sum, avg, min, max and median of private rows are
doors         by which door it is asked: Python, the gateway, Spark
known         the differences that are wanted, each with its reason
tally         what became of the comparisons
run           asks, compares, counts
"""
