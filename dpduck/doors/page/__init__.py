"""HTML without scripts and external resources: a page on budgets, and answers that show themselves.

`budgets` and `pictures` draw charts, with matplotlib; the others do not need it.
"""
