"""One table of scalar functions and operators: what each may carry, and how it is written where SQL runs.

entry                               what is said of one: on private rows, over what is public, in Spark
conditions, numbers, strings, ...   the entries, by kind
table                               all of them
expressions                         expressions over a private row, read by the table
refusals, private_refusals          the reasons why the rest is refused
"""
