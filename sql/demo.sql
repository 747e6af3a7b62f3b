-- The shop of `dpduck demo`: who bought what. Digests stand in for chance, so the rows are the same on
-- every machine; they are the data of the demonstration and have nothing to do with noise.

-- What is sold, and how many of a hundred baskets hold it.
CREATE TEMP TABLE goods AS
SELECT row_number() OVER () AS number, item, percent
FROM (VALUES
    ('bananas', 34), ('bread', 29), ('whole milk', 25), ('eggs', 21), ('coffee', 18), ('butter', 15),
    ('apples', 13), ('yoghurt', 11), ('tomatoes', 10), ('potatoes', 9), ('pasta', 8), ('onions', 8),
    ('cheddar', 7), ('rice', 7), ('carrots', 6), ('orange juice', 6), ('chicken', 6), ('oat milk', 5),
    ('chocolate', 5), ('lemons', 5), ('cucumber', 4), ('cereal', 4), ('olive oil', 4),
    ('energy drink', 4), ('spinach', 4), ('tea', 3), ('salmon', 3), ('flour', 3), ('honey', 3),
    ('beer', 3), ('garlic', 3), ('mushrooms', 2), ('crisps', 2), ('ice cream', 2), ('red wine', 2),
    ('tofu', 2), ('mustard', 1), ('capers', 1), ('nappies', 1), ('cat food', 1)
) AS t(item, percent);

CREATE TABLE purchases AS
WITH customers AS (
    SELECT customer, 1 + dice % 5 AS visits, 18 + least(dice // 5 % 73, dice // 365 % 73) AS age
    FROM (
        SELECT customer, (md5_number_lower('customer ' || customer) >> 1)::BIGINT AS dice
        FROM range(1, 20001) AS t(customer)
    )
),
baskets AS (
    SELECT *, (md5_number_lower('basket ' || customer || ' ' || visit) % 999983)::BIGINT AS dice
    FROM (SELECT customer, age, unnest(range(1, visits + 1)) AS visit FROM customers)
)
SELECT customer::INTEGER AS customer, age::INTEGER AS age, visit::INTEGER AS visit, item
FROM baskets, goods
-- Everybody takes one thing on the first visit, whatever it is; the rest is taste.
WHERE (visit = 1 AND number = 1 + customer % 40)
   OR dice * (7919 * number + 104729) % 999983 % 100 < CASE
        WHEN age < 25 AND item = 'energy drink' THEN 45
        WHEN age < 25 THEN percent * 0.7
        ELSE percent
      END;

DROP TABLE goods;
