-- dbt, with dbt-postgres: sources by three names, tests, previews, and the queries of its semantic layer (MetricFlow).
-- Not recorded: written in the form that its macros and MetricFlow's renderer make.

--! protocol: simple

--! 1 row: dbt debug
select 1 as id

--! 2 rows: the relations of a schema
select
      'shop' as database,
      tablename as name,
      schemaname as schema,
      'table' as type
    from pg_tables
    where schemaname ilike 'public'
    union all
    select
      'shop' as database,
      viewname as name,
      schemaname as schema,
      'view' as type
    from pg_views
    where schemaname ilike 'public'

--! 6 rows: the columns of a relation
select
          column_name,
          data_type,
          character_maximum_length,
          numeric_precision,
          numeric_scale

      from "shop".INFORMATION_SCHEMA.columns
      where table_name = 'visits'

        and table_schema = 'public'

      order by ordinal_position

--! 0 rows: the columns of a query
select * from (
        select page, count(*) as n from "shop"."public"."visits" group by page
    ) as __dbt_sbq
    where false
    limit 0

--! 1 row, epsilon 0.5: a test of not_null
select
      count(*) as failures,
      count(*) != 0 as should_warn,
      count(*) != 0 as should_error
    from (

select page
from "shop"."public"."visits"
where page is null

    ) dbt_internal_test

--! 1 row: a test of unique
select
      count(*) as failures,
      count(*) != 0 as should_warn,
      count(*) != 0 as should_error
    from (

select
    name as unique_field,
    count(*) as n_records

from "shop"."public"."pages"
where name is not null
group by name
having count(*) > 1

    ) dbt_internal_test

--! 1 row, epsilon 0.5: a test of unique of people
select
      count(*) as failures,
      count(*) != 0 as should_warn,
      count(*) != 0 as should_error
    from (

select
    visitor as unique_field,
    count(*) as n_records

from "shop"."public"."visits"
where visitor is not null
group by visitor
having count(*) > 1

    ) dbt_internal_test

--! 1 row: a test of accepted_values, which reads declared keys alone
select
      count(*) as failures,
      count(*) != 0 as should_warn,
      count(*) != 0 as should_error
    from (

with all_values as (

    select
        page as value_field,
        count(*) as n_records

    from "shop"."public"."visits"
    group by page

)

select *
from all_values
where value_field not in (
    'home','news','shop'
)

    ) dbt_internal_test

--! 1 row, epsilon 0.5: a test of relationships
select
      count(*) as failures,
      count(*) != 0 as should_warn,
      count(*) != 0 as should_error
    from (

with child as (
    select page as from_field
    from "shop"."public"."visits"
    where page is not null
),

parent as (
    select name as to_field
    from "shop"."public"."pages"
)

select
    from_field

from child
left join parent
    on child.from_field = parent.to_field

where parent.to_field is null

    ) dbt_internal_test

--! 5 rows, epsilon 0.5: dbt show of a model that aggregates
with source as (

    select * from "shop"."public"."visits"

),

renamed as (

    select
        visitor as visitor_id,
        page as page_name,
        ts as visited_at,
        amount as amount_usd
    from source

),

final as (

    select
        date_trunc('month', visited_at) as month,
        page_name,
        count(*) as visits,
        sum(amount_usd) as revenue
    from renamed
    group by 1, 2

)

select * from final
limit 5

--! 1 row, epsilon 0.5: freshness of a source
select
      max(ts) as max_loaded_at,
      now() as snapshotted_at
    from "shop"."public"."visits"

--! 91 rows, epsilon 0.5: a metric by day, of the semantic layer
SELECT
  metric_time__day
  , SUM(revenue) AS revenue
FROM (
  SELECT
    DATE_TRUNC('day', ts) AS metric_time__day
    , amount AS revenue
  FROM "shop"."public"."visits" visits_src_10000
) subq_2
GROUP BY
  metric_time__day

--! 4 rows, epsilon 0.5: a metric by a dimension of a public table
SELECT
  visit__page__topic AS visit__page__topic
  , SUM(visits) AS visits
FROM (
  SELECT
    pages_src_10001.topic AS visit__page__topic
    , subq_3.visits AS visits
  FROM (
    SELECT
      page AS visit__page
      , 1 AS visits
    FROM "shop"."public"."visits" visits_src_10000
  ) subq_3
  LEFT OUTER JOIN
    "shop"."public"."pages" pages_src_10001
  ON
    subq_3.visit__page = pages_src_10001.name
) subq_7
GROUP BY
  visit__page__topic

--! 3 rows, epsilon 0.5: two metrics, each aggregated apart
SELECT
  COALESCE(subq_4.metric_time__month, subq_9.metric_time__month) AS metric_time__month
  , MAX(subq_4.revenue) AS revenue
  , MAX(subq_9.visitors) AS visitors
FROM (
  SELECT
    metric_time__month
    , SUM(revenue) AS revenue
  FROM (
    SELECT
      DATE_TRUNC('month', ts) AS metric_time__month
      , amount AS revenue
    FROM "shop"."public"."visits" visits_src_10000
  ) subq_2
  GROUP BY
    metric_time__month
) subq_4
FULL OUTER JOIN (
  SELECT
    metric_time__month
    , COUNT(DISTINCT visitors) AS visitors
  FROM (
    SELECT
      DATE_TRUNC('month', ts) AS metric_time__month
      , visitor AS visitors
    FROM "shop"."public"."visits" visits_src_10000
  ) subq_7
  GROUP BY
    metric_time__month
) subq_9
ON
  subq_4.metric_time__month = subq_9.metric_time__month
GROUP BY
  COALESCE(subq_4.metric_time__month, subq_9.metric_time__month)

--! 3 rows, epsilon 0.5: a ratio of two metrics
SELECT
  metric_time__month
  , CAST(revenue AS DOUBLE PRECISION) / CAST(NULLIF(visitors, 0) AS DOUBLE PRECISION) AS revenue_per_visitor
FROM (
  SELECT
    DATE_TRUNC('month', ts) AS metric_time__month
    , SUM(amount) AS revenue
    , COUNT(DISTINCT visitor) AS visitors
  FROM "shop"."public"."visits" visits_src_10000
  GROUP BY
    DATE_TRUNC('month', ts)
) subq_5

--! 31 rows, epsilon 0.5: a cumulative metric over a time spine
SELECT
  subq_3.ds AS metric_time__day
  , SUM(subq_1.revenue) AS revenue
FROM (
  SELECT day::date AS ds FROM generate_series(DATE '2024-01-01', DATE '2024-01-31', INTERVAL '1 day') AS t(day)
) subq_3
INNER JOIN (
  SELECT
    DATE_TRUNC('day', ts) AS metric_time__day
    , amount AS revenue
  FROM "shop"."public"."visits" visits_src_10000
) subq_1
ON
  (
    subq_1.metric_time__day <= subq_3.ds
  ) AND (
    subq_1.metric_time__day > subq_3.ds - INTERVAL '7 day'
  )
GROUP BY
  subq_3.ds

--! refused 0A000: a model as a table
create  table "shop"."public"."by_page__dbt_tmp"
    as
    (
    select page, count(*) as n from "shop"."public"."visits" group by page
  )

--! refused 0A000: dbt show of a model of rows
select * from "shop"."public"."visits" limit 5

-- With include(database=False), which leaves the database out of names.

--! 0 rows: without the database, the columns of a query
select * from (
        select page, count(*) as n from "public"."visits" group by page
    ) as __dbt_sbq
    where false
    limit 0

--! 1 row: without the database, a test of not_null
select
      count(*) as failures,
      count(*) != 0 as should_warn,
      count(*) != 0 as should_error
    from (

select page
from "public"."visits"
where page is null

    ) dbt_internal_test

--! 1 row: without the database, a test of unique
select
      count(*) as failures,
      count(*) != 0 as should_warn,
      count(*) != 0 as should_error
    from (

select
    name as unique_field,
    count(*) as n_records

from "public"."pages"
where name is not null
group by name
having count(*) > 1

    ) dbt_internal_test

--! 1 row: without the database, a test of unique of people
select
      count(*) as failures,
      count(*) != 0 as should_warn,
      count(*) != 0 as should_error
    from (

select
    visitor as unique_field,
    count(*) as n_records

from "public"."visits"
where visitor is not null
group by visitor
having count(*) > 1

    ) dbt_internal_test

--! 1 row: without the database, a test of accepted_values
select
      count(*) as failures,
      count(*) != 0 as should_warn,
      count(*) != 0 as should_error
    from (

with all_values as (

    select
        page as value_field,
        count(*) as n_records

    from "public"."visits"
    group by page

)

select *
from all_values
where value_field not in (
    'home','news','shop'
)

    ) dbt_internal_test

--! 1 row: without the database, a test of relationships
select
      count(*) as failures,
      count(*) != 0 as should_warn,
      count(*) != 0 as should_error
    from (

with child as (
    select page as from_field
    from "public"."visits"
    where page is not null
),

parent as (
    select name as to_field
    from "public"."pages"
)

select
    from_field

from child
left join parent
    on child.from_field = parent.to_field

where parent.to_field is null

    ) dbt_internal_test

--! 5 rows: without the database, dbt show of a model that aggregates
with source as (

    select * from "public"."visits"

),

renamed as (

    select
        visitor as visitor_id,
        page as page_name,
        ts as visited_at,
        amount as amount_usd
    from source

),

final as (

    select
        date_trunc('month', visited_at) as month,
        page_name,
        count(*) as visits,
        sum(amount_usd) as revenue
    from renamed
    group by 1, 2

)

select * from final
limit 5

--! 5 rows: without the database, the same again
with source as (

    select * from "public"."visits"

),

renamed as (

    select
        visitor as visitor_id,
        page as page_name,
        ts as visited_at,
        amount as amount_usd
    from source

),

final as (

    select
        date_trunc('month', visited_at) as month,
        page_name,
        count(*) as visits,
        sum(amount_usd) as revenue
    from renamed
    group by 1, 2

)

select * from final
limit 5

--! 1 row: without the database, freshness of a source
select
      max(ts) as max_loaded_at,
      now() as snapshotted_at
    from "public"."visits"

--! 91 rows: without the database, a metric by day, of the semantic layer
SELECT
  metric_time__day
  , SUM(revenue) AS revenue
FROM (
  SELECT
    DATE_TRUNC('day', ts) AS metric_time__day
    , amount AS revenue
  FROM "public"."visits" visits_src_10000
) subq_2
GROUP BY
  metric_time__day

--! 4 rows: without the database, a metric by a dimension of a public table
SELECT
  visit__page__topic AS visit__page__topic
  , SUM(visits) AS visits
FROM (
  SELECT
    pages_src_10001.topic AS visit__page__topic
    , subq_3.visits AS visits
  FROM (
    SELECT
      page AS visit__page
      , 1 AS visits
    FROM "public"."visits" visits_src_10000
  ) subq_3
  LEFT OUTER JOIN
    "public"."pages" pages_src_10001
  ON
    subq_3.visit__page = pages_src_10001.name
) subq_7
GROUP BY
  visit__page__topic

--! 3 rows: without the database, two metrics, each aggregated apart
SELECT
  COALESCE(subq_4.metric_time__month, subq_9.metric_time__month) AS metric_time__month
  , MAX(subq_4.revenue) AS revenue
  , MAX(subq_9.visitors) AS visitors
FROM (
  SELECT
    metric_time__month
    , SUM(revenue) AS revenue
  FROM (
    SELECT
      DATE_TRUNC('month', ts) AS metric_time__month
      , amount AS revenue
    FROM "public"."visits" visits_src_10000
  ) subq_2
  GROUP BY
    metric_time__month
) subq_4
FULL OUTER JOIN (
  SELECT
    metric_time__month
    , COUNT(DISTINCT visitors) AS visitors
  FROM (
    SELECT
      DATE_TRUNC('month', ts) AS metric_time__month
      , visitor AS visitors
    FROM "public"."visits" visits_src_10000
  ) subq_7
  GROUP BY
    metric_time__month
) subq_9
ON
  subq_4.metric_time__month = subq_9.metric_time__month
GROUP BY
  COALESCE(subq_4.metric_time__month, subq_9.metric_time__month)

--! 3 rows: without the database, a ratio of two metrics
SELECT
  metric_time__month
  , CAST(revenue AS DOUBLE PRECISION) / CAST(NULLIF(visitors, 0) AS DOUBLE PRECISION) AS revenue_per_visitor
FROM (
  SELECT
    DATE_TRUNC('month', ts) AS metric_time__month
    , SUM(amount) AS revenue
    , COUNT(DISTINCT visitor) AS visitors
  FROM "public"."visits" visits_src_10000
  GROUP BY
    DATE_TRUNC('month', ts)
) subq_5

--! 31 rows: without the database, a cumulative metric over a time spine
SELECT
  subq_3.ds AS metric_time__day
  , SUM(subq_1.revenue) AS revenue
FROM (
  SELECT day::date AS ds FROM generate_series(DATE '2024-01-01', DATE '2024-01-31', INTERVAL '1 day') AS t(day)
) subq_3
INNER JOIN (
  SELECT
    DATE_TRUNC('day', ts) AS metric_time__day
    , amount AS revenue
  FROM "public"."visits" visits_src_10000
) subq_1
ON
  (
    subq_1.metric_time__day <= subq_3.ds
  ) AND (
    subq_1.metric_time__day > subq_3.ds - INTERVAL '7 day'
  )
GROUP BY
  subq_3.ds

--! refused 0A000: without the database, dbt show of a model of rows
select * from "public"."visits" limit 5
