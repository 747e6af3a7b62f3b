INSERT INTO region VALUES
    (0, 'AFRICA', 'none'),
    (1, 'AMERICA', 'none'),
    (2, 'ASIA', 'none'),
    (3, 'EUROPE', 'none'),
    (4, 'MIDDLE EAST', 'none');
INSERT INTO nation VALUES
    (0, 'ALGERIA', 0, 'none'), (1, 'ARGENTINA', 1, 'none'), (2, 'BRAZIL', 1, 'none'), (3, 'CANADA', 1, 'none'),
    (4, 'EGYPT', 4, 'none'), (5, 'ETHIOPIA', 0, 'none'), (6, 'FRANCE', 3, 'none'), (7, 'GERMANY', 3, 'none'),
    (8, 'INDIA', 2, 'none'), (9, 'INDONESIA', 2, 'none'), (10, 'IRAN', 4, 'none'), (11, 'IRAQ', 4, 'none'),
    (12, 'JAPAN', 2, 'none'), (13, 'JORDAN', 4, 'none'), (14, 'KENYA', 0, 'none'), (15, 'MOROCCO', 0, 'none'),
    (16, 'MOZAMBIQUE', 0, 'none'), (17, 'PERU', 1, 'none'), (18, 'CHINA', 2, 'none'), (19, 'ROMANIA', 3, 'none'),
    (20, 'SAUDI ARABIA', 4, 'none'), (21, 'VIETNAM', 2, 'none'), (22, 'RUSSIA', 3, 'none'), (23, 'UNITED KINGDOM', 3, 'none'),
    (24, 'UNITED STATES', 1, 'none');
INSERT INTO supplier SELECT i, 'Supplier#' || i, 'address', i % 25, '10-' || i, i * 7.5 - 20, 'no comment'
FROM range(1, 31) AS r(i);
INSERT INTO part SELECT i, 'part ' || CASE WHEN i % 3 = 0 THEN 'green' ELSE 'forest' END, 'Manufacturer#' || i % 5,
    'Brand#' || (1 + i % 5) || (1 + i % 4), CASE WHEN i % 4 = 0 THEN 'PROMO BRASS' ELSE 'ECONOMY ANODIZED STEEL' END,
    1 + i % 50, CASE WHEN i % 2 = 0 THEN 'MED BOX' ELSE 'SM CASE' END, 900 + i, 'none' FROM range(1, 61) AS r(i);
INSERT INTO partsupp SELECT p, ((p - 1) * 17 + j * 8) % 30 + 1, p * 13 % 999, p * 1.5, 'none'
FROM range(1, 61) AS r(p), range(4) AS q(j);
INSERT INTO customer SELECT i, 'Customer#' || i, 'street', i % 25, (10 + i % 25) || '-555', i * 97.3 % 11000 - 1000,
    CASE i % 5 WHEN 0 THEN 'AUTOMOBILE' WHEN 1 THEN 'BUILDING' WHEN 2 THEN 'FURNITURE' WHEN 3 THEN 'HOUSEHOLD'
        ELSE 'MACHINERY' END, 'none' FROM range(1, 151) AS r(i);
INSERT INTO orders SELECT i, (i * 37) % 150 + 1, CASE i % 3 WHEN 0 THEN 'O' WHEN 1 THEN 'F' ELSE 'P' END,
    (i * 991) % 300000 + 0.5, DATE '1992-01-01' + ((i * 17) % 2400)::INTEGER,
    CASE i % 5 WHEN 0 THEN '1-URGENT' WHEN 1 THEN '2-HIGH' WHEN 2 THEN '3-MEDIUM' WHEN 3 THEN '4-NOT SPECIFIED'
        ELSE '5-LOW' END, 'Clerk#' || i % 10, 0, 'none' FROM range(1, 1501) AS r(i);
INSERT INTO lineitem SELECT (i % 1500) + 1, (i * 11) % 60 + 1, (i * 7) % 30 + 1, i // 1500 + 1, 1 + i % 50,
    (i * 53) % 90000 + 100.25, (i % 11) / 100.0, (i % 9) / 100.0,
    CASE i % 3 WHEN 0 THEN 'A' WHEN 1 THEN 'N' ELSE 'R' END, CASE i % 2 WHEN 0 THEN 'O' ELSE 'F' END,
    DATE '1992-01-02' + ((i * 17) % 2500)::INTEGER, DATE '1992-01-20' + ((i * 17) % 2500)::INTEGER,
    DATE '1992-01-10' + ((i * 19) % 2500)::INTEGER, 'NONE',
    CASE i % 7 WHEN 0 THEN 'AIR' WHEN 1 THEN 'FOB' WHEN 2 THEN 'MAIL' WHEN 3 THEN 'RAIL' WHEN 4 THEN 'REG AIR'
        WHEN 5 THEN 'SHIP' ELSE 'TRUCK' END, 'none' FROM range(6000) AS r(i);
