INSERT INTO countries VALUES ('de', 'Germany', 'Europe'), ('fr', 'France', 'Europe'), ('jp', 'Japan', 'Asia');
INSERT INTO stores VALUES
    (1, 'Berlin', 'de', '2015-03-01'), (2, 'Paris', 'fr', '2016-07-15'), (3, 'Tokyo', 'jp', '2018-11-30'),
    (4, 'Lyon', 'fr', '2019-02-28'), (5, 'Bonn', 'de', '2020-02-29'), (6, 'Osaka', 'jp', '2021-06-01'),
    (7, 'Berlin', 'de', '2022-09-09'), (8, 'Nowhere', NULL, NULL);
INSERT INTO products SELECT i, 'Product ' || i, CASE i % 4 WHEN 0 THEN 'food' WHEN 1 THEN 'books' WHEN 2 THEN 'toys'
    ELSE 'garden' END, i * 1.25 FROM range(1, 31) AS r(i);
INSERT INTO calendar SELECT DATE '2024-01-01' + i::INTEGER, i % 7 = 0,
    CASE WHEN i < 91 THEN 'winter' WHEN i < 182 THEN 'spring' WHEN i < 274 THEN 'summer' ELSE 'autumn' END
FROM range(0, 366) AS r(i);
INSERT INTO customers SELECT i, 'u' || i || '@' || CASE WHEN d < 45 THEN 'a.org' WHEN d < 80 THEN 'B.com' ELSE 'c.net' END,
    CASE WHEN p < 38 THEN 'free' WHEN p < 65 THEN 'basic' WHEN p < 84 THEN 'pro' ELSE 'trial' END,
    CASE i % 9 WHEN 0 THEN NULL WHEN 1 THEN 'gold' WHEN 2 THEN 'silver' WHEN 3 THEN 'silver' ELSE 'bronze' END,
    DATE '1940-01-01' + (i * 317)::INTEGER, CASE WHEN i % 10 = 0 THEN NULL ELSE i % 10 < 4 END, (i * 1371) % 120000
FROM (SELECT i, (i * i * 29 + i * 7) % 97 AS d, (i * i * 41 + i * 3) % 101 AS p FROM range(1, 81) AS r(i));
INSERT INTO orders SELECT i, CASE WHEN i % 29 = 0 THEN NULL ELSE (i * i * 31 + i * 37) % 97 + 1 END,
    CASE WHEN i % 31 = 0 THEN NULL WHEN s < 30 THEN 1 WHEN s < 52 THEN 2 WHEN s < 68 THEN 3 WHEN s < 80 THEN 4 WHEN s < 89 THEN 5
        WHEN s < 95 THEN 6 WHEN s < 99 THEN 7 WHEN s < 101 THEN 8 ELSE 9 END,
    TIMESTAMP '2023-12-28' + INTERVAL (i * i * 13 % 9001) HOUR,
    CASE WHEN i % 23 = 0 THEN NULL WHEN t < 50 THEN 'paid' WHEN t < 78 THEN 'sent' WHEN t < 93 THEN 'returned' ELSE 'lost' END,
    (i * 7919) % 30000 / 100 - 5
FROM (SELECT i, (i * i * 17 + i * 5) % 103 AS s, (i * i * 19 + i * 11) % 107 AS t FROM range(1, 401) AS r(i));
INSERT INTO items SELECT i % 420 + 1, (i * i * 3 + i) % 31, i % 6 + 1, i % 8 / 10.0 FROM range(900) AS r(i);
INSERT INTO tickets SELECT (i * i * 11 + i) % 83 + 1, DATE '2024-02-01' + (i % 100)::INTEGER,
    CASE WHEN i % 11 < 5 THEN 'refund' WHEN i % 11 < 8 THEN 'delivery' ELSE 'other' END, (i * i) % 7 FROM range(1, 121) AS r(i);
INSERT INTO clicks SELECT 'v' || v, CASE WHEN v = 7 THEN 'secret' WHEN (v * v + j) % 2 = 0 THEN first ELSE second END,
    TIMESTAMP '2024-05-01' + INTERVAL (v * 5 + j * 11) HOUR, CASE WHEN v % 9 = 0 THEN 'nan'::DOUBLE ELSE v * 1.5 + j END,
    v * 30 + j, CASE WHEN v % 13 = 0 THEN 'tv' WHEN v < 22 THEN 'phone' WHEN v < 34 THEN 'desktop' ELSE 'tablet' END
FROM (SELECT v, CASE WHEN v < 25 THEN 'home' ELSE 'search' END AS first, CASE WHEN v < 9 THEN 'cart' ELSE 'help' END AS second
    FROM range(40) AS q(v)), range(5) AS r(j) WHERE j <= v % 5;
