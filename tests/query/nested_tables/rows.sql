INSERT INTO cities VALUES ('Oslo', {'country': 'no', 'sea': true}, ['Oslo', 'Kristiania']),
    ('Bern', {'country': 'ch', 'sea': false}, ['Bern', 'Berne']), ('Rome', {'country': 'it', 'sea': true}, ['Roma']);
INSERT INTO members SELECT i, ['north', 'south', 'east'][1 + (i * i * 7 + i) % 3], DATE '2024-01-01' + (i * 37 % 366)::INTEGER,
    CASE WHEN i % 11 > 0 THEN {'city': ['Oslo', 'Bern', 'Rome', 'Oslo'][1 + (i * 7919 // 11) % 4],
        'country': CASE WHEN i % 13 > 0 THEN ['no', 'ch', 'it', 'no'][1 + (i * 7919 // 11) % 4] END,
        'geo': CASE WHEN i % 7 > 0 THEN {'lat': (i * 31 % 90)::DOUBLE, 'north of': i % 3 = 0} END} END,
    CASE WHEN i % 9 > 0 THEN [x FOR x IN ['de', 'en', 'fr', 'it', NULL, 'xx'] IF hash(hash(x, i)) % 3 = 0 OR (x IS NULL AND i % 5 = 0)] END,
    CASE WHEN i % 8 > 0 THEN [(i * k * 17 + k) % 100 FOR k IN range(1, i % 6)] END,
    [DATE '2024-01-01' + (i * k * 13 % 366)::INTEGER FOR k IN range(1, i % 4)],
    CASE WHEN i % 10 > 0 THEN {'plan': ['free', 'pro'][1 + i % 2], 'limits': {'seats': i % 20, 'region': 'r' || i % 3}} END
FROM range(1, 81) AS r(i);
INSERT INTO baskets SELECT (i * i * 31 + i * 37) % 83 + 1, TIMESTAMP '2024-01-01' + to_minutes((i * 977 % 500000)::INTEGER), i % 3,
    '/' || ['home', 'shop', 'blog'][1 + (i * i + 2 * i) % 3],
    CASE WHEN i % 12 > 0 THEN [{'sku': 's' || (i * k % 4), 'price': (i * k % 50)::DECIMAL(9,2)} FOR k IN range(1, i % 5)] END,
    [c FOR c IN ['SUMMER', 'VIP'] IF hash(hash(c, i)) % 2 = 0],
    {'net': {'type': ['wifi', 'cell'][1 + i % 2]}, 'screen': 'p' || (i % 3), 'ms': i * 7 % 900, 'tags': [i % 2]},
    CASE i % 6 WHEN 0 THEN '{"ms": ' || i || '}' WHEN 1 THEN 'not json' WHEN 2 THEN '{"ms": "x"}' WHEN 3 THEN NULL
        WHEN 4 THEN '[1, 2' ELSE '{"ms": 1e999, "net": {"type": "wifi"}}' END
FROM range(1, 241) AS r(i);
