-- 1: Customers by city and segment
SELECT
  "t0"."city",
  "t0"."segment",
  COUNT(*) AS "n"
FROM "customers" AS "t0"
GROUP BY
  1,
  2;
-- 2: Number of rows of a table
SELECT
  COUNT(*) AS "CountStar(orders)"
FROM "orders" AS "t0";
-- 3: Counts of values
SELECT
  "t1"."status",
  COUNT(*) AS "status_count"
FROM (
  SELECT
    "t0"."status"
  FROM "orders" AS "t0"
) AS "t1"
GROUP BY
  1;
-- 4: Counts of values, the largest first
SELECT
  *
FROM (
  SELECT
    "t1"."payment_method",
    COUNT(*) AS "n"
  FROM (
    SELECT
      "t0"."payment_method"
    FROM "orders" AS "t0"
  ) AS "t1"
  GROUP BY
    1
) AS "t2"
ORDER BY
  "t2"."n" DESC
LIMIT 5;
-- 5: The top three products by number of items
SELECT
  *
FROM (
  SELECT
    "t0"."product_id",
    COUNT(*) AS "product_id_count"
  FROM "order_items" AS "t0"
  GROUP BY
    1
) AS "t1"
ORDER BY
  "t1"."product_id_count" DESC
LIMIT 3;
-- 6: Top products by revenue
SELECT
  *
FROM (
  SELECT
    "t1"."product_id",
    SUM("t1"."revenue") AS "revenue",
    COUNT(*) AS "n"
  FROM (
    SELECT
      "t0"."order_id",
      "t0"."line_no",
      "t0"."product_id",
      "t0"."quantity",
      "t0"."unit_price",
      "t0"."discount",
      "t0"."quantity" * "t0"."unit_price" AS "revenue"
    FROM "order_items" AS "t0"
  ) AS "t1"
  GROUP BY
    1
) AS "t2"
ORDER BY
  "t2"."revenue" DESC
LIMIT 10;
-- 7: Distinct customers who ordered, by status
SELECT
  "t0"."status",
  COUNT(DISTINCT "t0"."customer_id") AS "buyers",
  COUNT(*) AS "orders"
FROM "orders" AS "t0"
GROUP BY
  1;
-- 8: Median and quartiles of the shipping fee
SELECT
  "t0"."payment_method",
  QUANTILE_CONT("t0"."shipping", 0.25) AS "low",
  QUANTILE_CONT("t0"."shipping", 0.5) AS "mid",
  QUANTILE_CONT("t0"."shipping", 0.75) AS "high"
FROM "orders" AS "t0"
GROUP BY
  1;
-- 9: Mean, deviation and variance of the price
SELECT
  AVG("t0"."unit_price") AS "mean",
  STDDEV_SAMP("t0"."unit_price") AS "sd",
  VAR_POP("t0"."unit_price") AS "var"
FROM "order_items" AS "t0";
-- 10: Groups with more than a hundred orders
SELECT
  *
FROM (
  SELECT
    "t0"."status",
    COUNT(*) AS "n",
    AVG("t0"."shipping") AS "fee"
  FROM "orders" AS "t0"
  GROUP BY
    1
) AS "t1"
WHERE
  "t1"."n" > 100;
-- 11: Aggregates with conditions
SELECT
  COUNT(*) FILTER(WHERE
    "t0"."status" = 'completed') AS "paid",
  SUM("t0"."shipping") FILTER(WHERE
    "t0"."payment_method" = 'card') AS "fee",
  AVG(CAST("t0"."status" = 'cancelled' AS INT)) AS "share"
FROM "orders" AS "t0";
-- 12: The same aggregate of several columns
SELECT
  AVG("t0"."quantity") AS "quantity_mean",
  AVG("t0"."discount") AS "discount_mean",
  SUM("t0"."quantity") AS "quantity_sum",
  SUM("t0"."discount") AS "discount_sum"
FROM "order_items" AS "t0";
-- 13: Customers by decade of birth
SELECT
  *
FROM (
  SELECT
    "t1"."decade",
    COUNT(*) AS "n"
  FROM (
    SELECT
      "t0"."id",
      "t0"."first_name",
      "t0"."last_name",
      "t0"."email",
      "t0"."city",
      "t0"."segment",
      "t0"."registered_on",
      "t0"."birth_date",
      "t0"."newsletter",
      CAST(FLOOR((
        EXTRACT(year FROM "t0"."birth_date")
      ) / (
        10
      )) AS BIGINT) * 10 AS "decade"
    FROM "customers" AS "t0"
  ) AS "t1"
  GROUP BY
    1
) AS "t2"
ORDER BY
  "t2"."decade" ASC;
-- 14: Cases of quantity
SELECT
  "t1"."size",
  COUNT(*) AS "n",
  AVG("t1"."unit_price") AS "price"
FROM (
  SELECT
    "t0"."order_id",
    "t0"."line_no",
    "t0"."product_id",
    "t0"."quantity",
    "t0"."unit_price",
    "t0"."discount",
    CASE
      WHEN "t0"."quantity" >= 4
      THEN 'large'
      WHEN "t0"."quantity" >= 2
      THEN 'middle'
      ELSE 'small'
    END AS "size"
  FROM "order_items" AS "t0"
) AS "t1"
GROUP BY
  1;
-- 15: A column of one case, summed
SELECT
  "t0"."payment_method",
  SUM(CASE WHEN "t0"."status" = 'returned' THEN 1 ELSE 0 END) AS "returned",
  COUNT(*) AS "total"
FROM "orders" AS "t0"
GROUP BY
  1;
-- 16: Prices in buckets
SELECT
  "t1"."band",
  COUNT(*) AS "n"
FROM (
  SELECT
    "t0"."order_id",
    "t0"."line_no",
    "t0"."product_id",
    "t0"."quantity",
    "t0"."unit_price",
    "t0"."discount",
    CASE
      WHEN (
        0 <= "t0"."unit_price"
      ) AND (
        "t0"."unit_price" < 50
      )
      THEN 0
      WHEN (
        50 <= "t0"."unit_price"
      ) AND (
        "t0"."unit_price" < 100
      )
      THEN 1
      WHEN (
        100 <= "t0"."unit_price"
      ) AND (
        "t0"."unit_price" <= 250
      )
      THEN 2
      ELSE NULL
    END AS "band"
  FROM "order_items" AS "t0"
) AS "t1"
GROUP BY
  1;
-- 17: Prices in a histogram of ten bins
SELECT
  *
FROM (
  SELECT
    "t1"."bin",
    COUNT(*) AS "n"
  FROM (
    SELECT
      "t0"."order_id",
      "t0"."line_no",
      "t0"."product_id",
      "t0"."quantity",
      "t0"."unit_price",
      "t0"."discount",
      CASE
        WHEN CASE
          WHEN CAST(FLOOR((
            "t0"."unit_price" - 0
          ) / 25) AS BIGINT) IS NULL
          THEN CAST(FLOOR((
            "t0"."unit_price" - 0
          ) / 25) AS BIGINT)
          ELSE LEAST(
            CAST(CEIL(
              (
                MAX("t0"."unit_price") OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) - 0
              ) / 25
            ) AS BIGINT) - 1,
            CAST(FLOOR((
              "t0"."unit_price" - 0
            ) / 25) AS BIGINT)
          )
        END IS NULL
        THEN CASE
          WHEN CAST(FLOOR((
            "t0"."unit_price" - 0
          ) / 25) AS BIGINT) IS NULL
          THEN CAST(FLOOR((
            "t0"."unit_price" - 0
          ) / 25) AS BIGINT)
          ELSE LEAST(
            CAST(CEIL(
              (
                MAX("t0"."unit_price") OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) - 0
              ) / 25
            ) AS BIGINT) - 1,
            CAST(FLOOR((
              "t0"."unit_price" - 0
            ) / 25) AS BIGINT)
          )
        END
        ELSE GREATEST(
          -1,
          CASE
            WHEN CAST(FLOOR((
              "t0"."unit_price" - 0
            ) / 25) AS BIGINT) IS NULL
            THEN CAST(FLOOR((
              "t0"."unit_price" - 0
            ) / 25) AS BIGINT)
            ELSE LEAST(
              CAST(CEIL(
                (
                  MAX("t0"."unit_price") OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) - 0
                ) / 25
              ) AS BIGINT) - 1,
              CAST(FLOOR((
                "t0"."unit_price" - 0
              ) / 25) AS BIGINT)
            )
          END
        )
      END AS "bin"
    FROM "order_items" AS "t0"
  ) AS "t1"
  GROUP BY
    1
) AS "t2"
ORDER BY
  "t2"."bin" ASC;
-- 18: Missing coupons filled
SELECT
  "t1"."coupon",
  COUNT(*) AS "n"
FROM (
  SELECT
    "t0"."id",
    "t0"."customer_id",
    "t0"."ordered_at",
    "t0"."status",
    "t0"."payment_method",
    "t0"."shipping",
    COALESCE("t0"."coupon", 'none') AS "coupon",
    "t0"."shipped_on"
  FROM "orders" AS "t0"
) AS "t1"
GROUP BY
  1;
-- 19: Domains of e-mail addresses
SELECT
  "t1"."host",
  COUNT(*) AS "n"
FROM (
  SELECT
    "t0"."id",
    "t0"."first_name",
    "t0"."last_name",
    "t0"."email",
    "t0"."city",
    "t0"."segment",
    "t0"."registered_on",
    "t0"."birth_date",
    "t0"."newsletter",
    LOWER(LIST_EXTRACT(STR_SPLIT("t0"."email", '@'), 2)) AS "host"
  FROM "customers" AS "t0"
  WHERE
    LOWER(LIST_EXTRACT(STR_SPLIT("t0"."email", '@'), 2)) IN ('gmail.com', 'yahoo.com', 'corp.example')
) AS "t1"
GROUP BY
  1;
-- 20: Initials of cities, and texts that begin alike
SELECT
  "t1"."initial",
  COUNT(*) AS "n",
  AVG(LENGTH("t1"."city")) AS "length"
FROM (
  SELECT
    "t0"."id",
    "t0"."first_name",
    "t0"."last_name",
    "t0"."email",
    "t0"."city",
    "t0"."segment",
    "t0"."registered_on",
    "t0"."birth_date",
    "t0"."newsletter",
    SUBSTRING(
      UPPER("t0"."city"),
      CASE WHEN (
        0 + 1
      ) >= 1 THEN 0 + 1 ELSE 0 + 1 + LENGTH(UPPER("t0"."city")) END,
      1
    ) AS "initial"
  FROM "customers" AS "t0"
  WHERE
    STARTS_WITH("t0"."city", 'M') OR CONTAINS("t0"."city", 'er')
) AS "t1"
GROUP BY
  1;
-- 21: Values between, and in a list
SELECT
  "t1"."quantity",
  COUNT(*) AS "n"
FROM (
  SELECT
    *
  FROM "order_items" AS "t0"
  WHERE
    "t0"."quantity" BETWEEN 2 AND 4 AND "t0"."discount" IN (0.05, 0.1)
) AS "t1"
GROUP BY
  1;
-- 22: Orders of a period
SELECT
  COUNT(*) AS "n",
  AVG("t1"."shipping") AS "fee"
FROM (
  SELECT
    *
  FROM "orders" AS "t0"
  WHERE
    "t0"."ordered_at" >= '2025-01-01'
    AND "t0"."ordered_at" < MAKE_TIMESTAMP(2025, 4, 1, 0, 0, 0.0)
    AND NOT (
      "t0"."status" IN ('cancelled', 'returned')
    )
) AS "t1";
-- 23: Rows without missing values
SELECT
  "t1"."status",
  COUNT(*) AS "n"
FROM (
  SELECT
    *
  FROM "orders" AS "t0"
  WHERE
    "t0"."shipped_on" IS NOT NULL
) AS "t1"
GROUP BY
  1;
-- 24: Orders by month
SELECT
  *
FROM (
  SELECT
    DATE_TRUNC('MONTH', "t0"."ordered_at") AS "month",
    COUNT(*) AS "n"
  FROM "orders" AS "t0"
  GROUP BY
    1
) AS "t1"
ORDER BY
  "t1"."month" ASC;
-- 25: Orders by day of week and hour
SELECT
  (
    DAYOFWEEK("t0"."ordered_at") + 6
  ) % 7 AS "weekday",
  EXTRACT(hour FROM "t0"."ordered_at") AS "hour",
  COUNT(*) AS "n"
FROM "orders" AS "t0"
GROUP BY
  1,
  2;
-- 26: Orders by name of the weekday
SELECT
  CASE (
      DAYOFWEEK("t0"."ordered_at") + 6
    ) % 7
    WHEN 0
    THEN 'Monday'
    WHEN 1
    THEN 'Tuesday'
    WHEN 2
    THEN 'Wednesday'
    WHEN 3
    THEN 'Thursday'
    WHEN 4
    THEN 'Friday'
    WHEN 5
    THEN 'Saturday'
    WHEN 6
    THEN 'Sunday'
  END AS "weekday",
  COUNT(*) AS "n"
FROM "orders" AS "t0"
GROUP BY
  1;
-- 27: Days between registration and order
SELECT
  "t5"."weeks",
  COUNT(*) AS "n"
FROM (
  SELECT
    "t4"."id",
    "t4"."customer_id",
    "t4"."ordered_at",
    "t4"."status",
    "t4"."payment_method",
    "t4"."shipping",
    "t4"."coupon",
    "t4"."shipped_on",
    "t4"."id_right",
    "t4"."first_name",
    "t4"."last_name",
    "t4"."email",
    "t4"."city",
    "t4"."segment",
    "t4"."registered_on",
    "t4"."birth_date",
    "t4"."newsletter",
    CASE
      WHEN CASE
        WHEN CAST(FLOOR(
          (
            DATE_DIFF('DAY', "t4"."registered_on", CAST("t4"."ordered_at" AS DATE))
          ) / (
            7
          )
        ) AS BIGINT) IS NULL
        THEN CAST(FLOOR(
          (
            DATE_DIFF('DAY', "t4"."registered_on", CAST("t4"."ordered_at" AS DATE))
          ) / (
            7
          )
        ) AS BIGINT)
        ELSE LEAST(
          52,
          CAST(FLOOR(
            (
              DATE_DIFF('DAY', "t4"."registered_on", CAST("t4"."ordered_at" AS DATE))
            ) / (
              7
            )
          ) AS BIGINT)
        )
      END IS NULL
      THEN CASE
        WHEN CAST(FLOOR(
          (
            DATE_DIFF('DAY', "t4"."registered_on", CAST("t4"."ordered_at" AS DATE))
          ) / (
            7
          )
        ) AS BIGINT) IS NULL
        THEN CAST(FLOOR(
          (
            DATE_DIFF('DAY', "t4"."registered_on", CAST("t4"."ordered_at" AS DATE))
          ) / (
            7
          )
        ) AS BIGINT)
        ELSE LEAST(
          52,
          CAST(FLOOR(
            (
              DATE_DIFF('DAY', "t4"."registered_on", CAST("t4"."ordered_at" AS DATE))
            ) / (
              7
            )
          ) AS BIGINT)
        )
      END
      ELSE GREATEST(
        0,
        CASE
          WHEN CAST(FLOOR(
            (
              DATE_DIFF('DAY', "t4"."registered_on", CAST("t4"."ordered_at" AS DATE))
            ) / (
              7
            )
          ) AS BIGINT) IS NULL
          THEN CAST(FLOOR(
            (
              DATE_DIFF('DAY', "t4"."registered_on", CAST("t4"."ordered_at" AS DATE))
            ) / (
              7
            )
          ) AS BIGINT)
          ELSE LEAST(
            52,
            CAST(FLOOR(
              (
                DATE_DIFF('DAY', "t4"."registered_on", CAST("t4"."ordered_at" AS DATE))
              ) / (
                7
              )
            ) AS BIGINT)
          )
        END
      )
    END AS "weeks"
  FROM (
    SELECT
      "t2"."id",
      "t2"."customer_id",
      "t2"."ordered_at",
      "t2"."status",
      "t2"."payment_method",
      "t2"."shipping",
      "t2"."coupon",
      "t2"."shipped_on",
      "t3"."id" AS "id_right",
      "t3"."first_name",
      "t3"."last_name",
      "t3"."email",
      "t3"."city",
      "t3"."segment",
      "t3"."registered_on",
      "t3"."birth_date",
      "t3"."newsletter"
    FROM "orders" AS "t2"
    INNER JOIN "customers" AS "t3"
      ON "t2"."customer_id" = "t3"."id"
  ) AS "t4"
) AS "t5"
GROUP BY
  1;
-- 28: Revenue by city and category, over three joins
SELECT
  *
FROM (
  SELECT
    "t8"."city",
    "t8"."category",
    SUM("t8"."quantity" * "t8"."unit_price" * (
      1 - "t8"."discount"
    )) AS "revenue"
  FROM (
    SELECT
      "t4"."order_id",
      "t4"."line_no",
      "t4"."product_id",
      "t4"."quantity",
      "t4"."unit_price",
      "t4"."discount",
      "t5"."id",
      "t5"."customer_id",
      "t5"."ordered_at",
      "t5"."status",
      "t5"."payment_method",
      "t5"."shipping",
      "t5"."coupon",
      "t5"."shipped_on",
      "t6"."id" AS "id_right",
      "t6"."first_name",
      "t6"."last_name",
      "t6"."email",
      "t6"."city",
      "t6"."segment",
      "t6"."registered_on",
      "t6"."birth_date",
      "t6"."newsletter",
      "t7"."name",
      "t7"."category",
      "t7"."list_price",
      "t7"."weight_kg"
    FROM "order_items" AS "t4"
    INNER JOIN "orders" AS "t5"
      ON "t4"."order_id" = "t5"."id"
    INNER JOIN "customers" AS "t6"
      ON "t5"."customer_id" = "t6"."id"
    INNER JOIN "products" AS "t7"
      ON "t4"."product_id" = "t7"."product_id"
  ) AS "t8"
  GROUP BY
    1,
    2
) AS "t9"
ORDER BY
  "t9"."city" ASC,
  "t9"."revenue" DESC;
-- 29: Customers with an order that was returned
SELECT
  "t5"."city",
  COUNT(*) AS "n"
FROM (
  SELECT
    "t2"."id",
    "t2"."first_name",
    "t2"."last_name",
    "t2"."email",
    "t2"."city",
    "t2"."segment",
    "t2"."registered_on",
    "t2"."birth_date",
    "t2"."newsletter"
  FROM "customers" AS "t2"
  SEMI JOIN (
    SELECT
      *
    FROM "orders" AS "t1"
    WHERE
      "t1"."status" = 'returned'
  ) AS "t4"
    ON "t2"."id" = "t4"."customer_id"
) AS "t5"
GROUP BY
  1;
-- 30: Customers without an order
SELECT
  "t4"."segment",
  COUNT(*) AS "n"
FROM (
  SELECT
    "t2"."id",
    "t2"."first_name",
    "t2"."last_name",
    "t2"."email",
    "t2"."city",
    "t2"."segment",
    "t2"."registered_on",
    "t2"."birth_date",
    "t2"."newsletter"
  FROM "customers" AS "t2"
  ANTI JOIN "orders" AS "t3"
    ON "t2"."id" = "t3"."customer_id"
) AS "t4"
GROUP BY
  1;
-- 31: Customers in a list of those of another table
SELECT
  "t3"."segment",
  COUNT(*) AS "n"
FROM (
  SELECT
    *
  FROM "customers" AS "t0"
  WHERE
    "t0"."id" IN (
      SELECT
        "t1"."customer_id"
      FROM "orders" AS "t1"
      WHERE
        "t1"."payment_method" = 'paypal'
    )
) AS "t3"
GROUP BY
  1;
-- 32: Orders of each customer, and how many customers have so many
SELECT
  *
FROM (
  SELECT
    "t2"."n",
    COUNT(*) AS "customers"
  FROM (
    SELECT
      "t1"."customer_id",
      CASE WHEN "t1"."n" IS NULL THEN "t1"."n" ELSE LEAST(12, "t1"."n") END AS "n"
    FROM (
      SELECT
        "t0"."customer_id",
        COUNT(*) AS "n"
      FROM "orders" AS "t0"
      GROUP BY
        1
    ) AS "t1"
  ) AS "t2"
  GROUP BY
    1
) AS "t3"
ORDER BY
  "t3"."n" ASC;
-- 33: Spending of each customer, by city, with a left join
SELECT
  "t6"."city",
  AVG("t6"."fees") AS "fees",
  COUNT(*) AS "n"
FROM (
  SELECT
    "t5"."id",
    "t5"."first_name",
    "t5"."last_name",
    "t5"."email",
    "t5"."city",
    "t5"."segment",
    "t5"."registered_on",
    "t5"."birth_date",
    "t5"."newsletter",
    "t5"."customer_id",
    CASE
      WHEN CASE
        WHEN COALESCE("t5"."fees", 0) IS NULL
        THEN COALESCE("t5"."fees", 0)
        ELSE LEAST(100, COALESCE("t5"."fees", 0))
      END IS NULL
      THEN CASE
        WHEN COALESCE("t5"."fees", 0) IS NULL
        THEN COALESCE("t5"."fees", 0)
        ELSE LEAST(100, COALESCE("t5"."fees", 0))
      END
      ELSE GREATEST(
        0,
        CASE
          WHEN COALESCE("t5"."fees", 0) IS NULL
          THEN COALESCE("t5"."fees", 0)
          ELSE LEAST(100, COALESCE("t5"."fees", 0))
        END
      )
    END AS "fees"
  FROM (
    SELECT
      "t2"."id",
      "t2"."first_name",
      "t2"."last_name",
      "t2"."email",
      "t2"."city",
      "t2"."segment",
      "t2"."registered_on",
      "t2"."birth_date",
      "t2"."newsletter",
      "t4"."customer_id",
      "t4"."fees"
    FROM "customers" AS "t2"
    LEFT OUTER JOIN (
      SELECT
        "t1"."customer_id",
        SUM("t1"."shipping") AS "fees"
      FROM "orders" AS "t1"
      GROUP BY
        1
    ) AS "t4"
      ON "t2"."id" = "t4"."customer_id"
  ) AS "t5"
) AS "t6"
GROUP BY
  1;
-- 34: First order of each customer, by payment method
SELECT
  "t2"."payment_method",
  COUNT(*) AS "n"
FROM (
  SELECT
    *
  FROM (
    SELECT
      "t0"."id",
      "t0"."customer_id",
      "t0"."ordered_at",
      "t0"."status",
      "t0"."payment_method",
      "t0"."shipping",
      "t0"."coupon",
      "t0"."shipped_on",
      ROW_NUMBER() OVER (
        PARTITION BY "t0"."customer_id"
        ORDER BY "t0"."ordered_at" ASC
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
      ) - 1 AS "turn"
    FROM "orders" AS "t0"
  ) AS "t1"
  WHERE
    "t1"."turn" = 0
) AS "t2"
GROUP BY
  1;
-- 35: Share of each group of all
SELECT
  "t1"."status",
  "t1"."n",
  "t1"."n" / SUM("t1"."n") OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS "share"
FROM (
  SELECT
    "t0"."status",
    COUNT(*) AS "n"
  FROM "orders" AS "t0"
  GROUP BY
    1
) AS "t1";
-- 36: Mean of the last three months of orders
SELECT
  "t1"."month",
  "t1"."n",
  AVG("t1"."n") OVER (ORDER BY "t1"."month" ASC ROWS BETWEEN 2 preceding AND CURRENT ROW) AS "rolling",
  LAG("t1"."n") OVER (
    ORDER BY "t1"."month" ASC
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
  ) AS "before"
FROM (
  SELECT
    DATE_TRUNC('MONTH', "t0"."ordered_at") AS "month",
    COUNT(*) AS "n"
  FROM "orders" AS "t0"
  GROUP BY
    1
) AS "t1";
-- 37: The best two cities of each segment
SELECT
  "t2"."segment",
  "t2"."city",
  "t2"."n"
FROM (
  SELECT
    "t1"."segment",
    "t1"."city",
    "t1"."n",
    ROW_NUMBER() OVER (
      PARTITION BY "t1"."segment"
      ORDER BY "t1"."n" DESC
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) - 1 AS "place"
  FROM (
    SELECT
      "t0"."segment",
      "t0"."city",
      COUNT(*) AS "n"
    FROM "customers" AS "t0"
    GROUP BY
      1,
      2
  ) AS "t1"
) AS "t2"
WHERE
  "t2"."place" < 2;
-- 38: A cross table of statuses and payment methods
SELECT
  "t1"."status",
  COALESCE(ANY_VALUE("t1"."n") FILTER(WHERE
    "t1"."payment_method" = 'card'), 0) AS "card",
  COALESCE(ANY_VALUE("t1"."n") FILTER(WHERE
    "t1"."payment_method" = 'paypal'), 0) AS "paypal",
  COALESCE(ANY_VALUE("t1"."n") FILTER(WHERE
    "t1"."payment_method" = 'transfer'), 0) AS "transfer"
FROM (
  SELECT
    "t0"."status",
    "t0"."payment_method",
    COUNT(*) AS "n"
  FROM "orders" AS "t0"
  GROUP BY
    1,
    2
) AS "t1"
GROUP BY
  1;
-- 39: Two answers put together
SELECT
  *
FROM (
  SELECT
    "t1"."value",
    "t1"."n",
    'city' AS "column"
  FROM (
    SELECT
      "t0"."city" AS "value",
      COUNT(*) AS "n"
    FROM "customers" AS "t0"
    GROUP BY
      1
  ) AS "t1"
) AS "t3"
UNION ALL
SELECT
  *
FROM (
  SELECT
    "t2"."value",
    "t2"."n",
    'segment' AS "column"
  FROM (
    SELECT
      "t0"."segment" AS "value",
      COUNT(*) AS "n"
    FROM "customers" AS "t0"
    GROUP BY
      1
  ) AS "t2"
) AS "t4";
-- 40: Distinct pairs of columns
SELECT DISTINCT
  "t0"."city",
  "t0"."segment"
FROM "customers" AS "t0"
ORDER BY
  "t0"."city" ASC,
  "t0"."segment" ASC
LIMIT 20;
