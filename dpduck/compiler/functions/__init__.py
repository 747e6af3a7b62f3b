"""The function table: the arguments of each scalar function and operator, and its translations.

entry                               the class of an entry: private rows, public relations, Spark
conditions, numbers, strings, ...   the entries, by kind
table                               the whole table
expressions                         translates expressions over a private row, by the table
refusals, private_refusals          the reasons why everything else is refused
"""
