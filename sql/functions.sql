-- The dp_ functions of a connection that called dpduck.register.
--
-- Each is a macro around a scalar function of Python, whose name ends in {id}: every registration has
-- functions of its own, since a function belongs to the connection that created it. The functions are
-- volatile, so that two identical calls are two draws and two charges. They return
-- STRUCT(error, value); dpduck_{id}_answer raises the error with nothing but its own text.
-- list() over no rows is NULL and passed on as it is: a function sees every call, empty ones too.

CREATE OR REPLACE TEMP MACRO dpduck_{id}_answer(result) AS
    list_transform(
        [result],
        lambda r: CASE WHEN r.error IS NULL THEN r.value ELSE error(r.error) END
    )[1];

-- Candidates are listed with the type of their scores, since Arrow has no type for each of DuckDB's.
CREATE OR REPLACE TEMP MACRO dp_top_k
    (count_col, k, eps) AS
        dpduck_{id}_answer(
            dpduck_{id}_top_k(list(count_col), typeof(any_value(count_col)), k, eps, NULL)
        ),
    (key, count_col, k, eps, delta := NULL) AS
        list_transform(
            [{'rows': list({'key': key, 'score': count_col}), 'type': typeof(any_value(count_col))}],
            lambda t: list_transform(
                dpduck_{id}_answer(dpduck_{id}_top_k(t.rows, t.type, k, eps, delta)),
                lambda w: {'rank': w.rank, 'key': t.rows[w.index].key, 'gap': w.gap}
            )
        )[1];

CREATE OR REPLACE TEMP MACRO dp_top_k_counts(key, count_col, k, eps, delta := NULL) AS
    list_transform(
        [{'rows': list({'key': key, 'score': count_col}), 'type': typeof(any_value(count_col))}],
        lambda t: list_transform(
            dpduck_{id}_answer(dpduck_{id}_top_k_counts(t.rows, t.type, k, eps, delta)),
            lambda w: {
                'rank': w.rank, 'key': t.rows[w.index].key, 'count': w.count,
                'low': w.low, 'high': w.high, 'gap': w.gap
            }
        )
    )[1];

-- Candidates are looked at in the order of their keys.
CREATE OR REPLACE TEMP MACRO dp_above(key, count_col, threshold, k, eps, delta := NULL) AS
    list_transform(
        [{
            'rows': list({'key': key, 'score': count_col} ORDER BY key),
            'type': typeof(any_value(count_col))
        }],
        lambda t: list_transform(
            dpduck_{id}_answer(dpduck_{id}_above(t.rows, t.type, threshold, k, eps, delta)),
            lambda w: {
                'key': t.rows[w.index].key, 'gap': w.gap, 'estimate': w.estimate,
                'low': w.low, 'high': w.high, 'epsilon_used': w.epsilon_used
            }
        )
    )[1];

CREATE OR REPLACE TEMP MACRO dp_select(item, score, eps, sensitivity := 1, monotonic := false) AS
    list_transform(
        [{'rows': list({'key': item, 'score': score}), 'type': typeof(any_value(score))}],
        lambda t: list_transform(
            [dpduck_{id}_answer(dpduck_{id}_select(t.rows, t.type, eps, sensitivity, monotonic))],
            lambda w: {'item': t.rows[w.index].key, 'gap': w.gap, 'p_value': w.p_value}
        )[1]
    )[1];

-- A long range is passed as its first, step and size: as a list it would be copied value by value.
CREATE OR REPLACE TEMP MACRO dpduck_{id}_domain(domain) AS
    list_transform(
        [domain],
        lambda d: {
            'progression': dpduck_{id}_progression(d),
            'list': CASE WHEN dpduck_{id}_progression(d) IS NULL THEN d END
        }
    )[1];

CREATE OR REPLACE TEMP MACRO dp_mode(x, eps, domain := NULL, delta := NULL) AS
    cast_to_type(
        dpduck_{id}_answer(
            dpduck_{id}_mode(list(x), typeof(any_value(x)), eps, dpduck_{id}_domain(domain), delta)
        ),
        any_value(x)
    );

CREATE OR REPLACE TEMP MACRO dp_quantile(x, q, eps, lo := NULL, hi := NULL, step := NULL) AS
    cast_to_type(
        dpduck_{id}_answer(dpduck_{id}_quantile(list(x), typeof(any_value(x)), q, eps, lo, hi, step)),
        any_value(x)
    );

CREATE OR REPLACE TEMP MACRO dp_median(x, eps, lo := NULL, hi := NULL, step := NULL) AS
    cast_to_type(
        dpduck_{id}_answer(dpduck_{id}_quantile(list(x), typeof(any_value(x)), 0.5, eps, lo, hi, step)),
        any_value(x)
    );

CREATE OR REPLACE TEMP MACRO dp(query) AS TABLE
    FROM query(dpduck_{id}_rewrite(query));

CREATE OR REPLACE TEMP MACRO dp_budget() AS TABLE
    SELECT unnest(dpduck_{id}_answer(dpduck_{id}_budget(0)), max_depth := 2);

CREATE OR REPLACE TEMP MACRO dp_ledger() AS TABLE
    SELECT unnest(dpduck_{id}_answer(dpduck_{id}_ledger(0)), max_depth := 2);

CREATE OR REPLACE TEMP MACRO dp_policies() AS TABLE
    SELECT unnest(dpduck_{id}_answer(dpduck_{id}_policies(0)), max_depth := 2);
