"""Private summaries: a few noisy tables of counts, paid for once, that answer every count on their columns.

A summary releases marginal tables of public cells with discrete Laplace noise, or their residuals with
Gaussian noise, and the same of sums of measures. They overlap, and linear algebra (`residuals`) makes one
unbiased estimate of them that agrees with itself, with the exact variance of every count beforehand.
"""
