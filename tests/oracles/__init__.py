"""Test oracles: exact distributions, written from the papers and from the statements, never from the code.

Every probability is a Fraction; p = exp(-a) is a free rational number, so that each e^epsilon is p^-k and
rational too. Only the large histograms use Arb balls, which enclose the true value.

canonne    a second discrete Laplace sampler, by rejection from exact coins
noise      geometric and discrete Laplace laws, and exact sums over all integers of products of them
selection  permute-and-flip, exponential mechanism (also grouped), its gap, expected errors, median scores
topk       top-k with gaps: two theorems, and the mutants that must be caught
privacy    neighbours, worst likelihood ratio, hockey-stick divergence
unknown    private keys: threshold release, top-k with a bottom candidate
blue       generalised least squares for counts and gaps
fit        a finite-sample test of a sampler against an exact law
figures    published figures, recomputed from a histogram file
"""
