SELECT max_by(s, i) AS a, max_by(s, i, 2) AS b, arg_min(s, i) AS c, min_by(i, x, 1) AS d, max(i, 2) AS e FROM t
SELECT string_agg(s, ',' ORDER BY s DESC), list(i ORDER BY i DESC), list(DISTINCT s ORDER BY s) FROM t
SELECT count(DISTINCT s), string_agg(DISTINCT s, '-' ORDER BY s) AS e, array_agg(i ORDER BY x NULLS FIRST) AS f FROM t
SELECT any_value(s), first(i ORDER BY i DESC), arg_max(s, i ORDER BY i) AS k FROM t
SELECT histogram(s) AS a, map_from_entries(list((s, i))) AS b FROM t WHERE s IS NOT NULL
SELECT median(i), quantile_cont(x, 0.25), quantile_cont(x, [0.25, 0.5]) AS c, quantile_disc(i, 0.5), mode(s) FROM t
SELECT stddev(x), stddev_pop(x), variance(x), var_pop(x), corr(i, x), covar_pop(i, x), covar_samp(i, x) FROM t
SELECT approx_count_distinct(s), product(i), bool_and(i > 0), bool_or(i > 2), count_if(i > 1) FROM t
SELECT regr_slope(x, i), regr_r2(x, i), entropy(s), skewness(x), kurtosis(x), mean(x), fsum(x) FROM t
SELECT bit_and(i), bit_or(i), bit_xor(i), sem(x), mad(x) AS z FROM t
SELECT sum(DISTINCT i), avg(DISTINCT i), min(s), max(d), count(), sum(i) FILTER (WHERE s = 'a') AS f FROM t
SELECT s, sum(i * 2) + 1 AS z FROM t GROUP BY s ORDER BY sum(i) DESC NULLS FIRST, s
