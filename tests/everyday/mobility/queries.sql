-- 268: Trips per month and average distance, in local (Amsterdam) time [analyst]
SELECT date_trunc('month', started AT TIME ZONE 'Europe/Amsterdam') AS month, count(*) AS trips, avg(distance_km) AS avg_km
FROM trips
GROUP BY 1
ORDER BY 1;

-- 269: Peak hours: trips by local hour on working days versus weekends [analyst]
SELECT extract(hour FROM started AT TIME ZONE 'Europe/Amsterdam') AS hour,
       sum(CASE WHEN extract(isodow FROM started AT TIME ZONE 'Europe/Amsterdam') <= 5 THEN 1 ELSE 0 END) AS weekday_trips,
       sum(CASE WHEN extract(isodow FROM started AT TIME ZONE 'Europe/Amsterdam') > 5 THEN 1 ELSE 0 END) AS weekend_trips
FROM trips
GROUP BY 1
ORDER BY 1;

-- 270: Average trip duration in minutes by membership [analyst]
SELECT r.membership, avg(date_diff('minute', t.started, t.ended)) AS avg_minutes, count(*) AS trips
FROM trips t
JOIN riders r ON r.id = t.rider_id
WHERE t.ended IS NOT NULL
GROUP BY r.membership
ORDER BY r.membership;

-- 271: Top 10 origin stations with their names [analyst]
SELECT s.name, count(*) AS departures
FROM trips t
JOIN stations s ON s.station_id = t.from_station
GROUP BY s.name
ORDER BY departures DESC, s.name
LIMIT 10;

-- 272: Origin-destination matrix between districts [analyst]
SELECT a.district AS from_district, b.district AS to_district, count(*) AS trips, count(DISTINCT t.rider_id) AS riders
FROM trips t
JOIN stations a ON a.station_id = t.from_station
JOIN stations b ON b.station_id = t.to_station
GROUP BY a.district, b.district
ORDER BY trips DESC, 1, 2;

-- 273: Net flow of bikes per station (arrivals minus departures) [analyst]
WITH dep AS (SELECT from_station AS station_id, count(*) AS n FROM trips GROUP BY from_station),
     arr AS (SELECT to_station AS station_id, count(*) AS n FROM trips WHERE ended IS NOT NULL GROUP BY to_station)
SELECT s.station_id, coalesce(arr.n, 0) - coalesce(dep.n, 0) AS net_flow
FROM stations s
LEFT JOIN dep ON dep.station_id = s.station_id
LEFT JOIN arr ON arr.station_id = s.station_id
ORDER BY net_flow DESC, s.station_id;

-- 274: Total and average fare per rider type, and the share of all revenue [analyst]
SELECT r.membership, sum(t.fare) AS revenue, avg(t.fare) AS avg_fare,
       sum(t.fare) / (SELECT sum(fare) FROM trips) AS revenue_share
FROM trips t JOIN riders r ON r.id = t.rider_id
GROUP BY r.membership
ORDER BY revenue DESC;

-- 275: How many riders made 1-4, 5-9, 10-19, 20+ trips? [analyst]
SELECT CASE WHEN n < 5 THEN '1-4' WHEN n < 10 THEN '5-9' WHEN n < 20 THEN '10-19' ELSE '20+' END AS bucket,
       count(*) AS riders, sum(n) AS trips
FROM (SELECT rider_id, count(*) AS n FROM trips GROUP BY rider_id) p
GROUP BY 1
ORDER BY min(n);

-- 276: Riders without any trip by membership (NOT IN) [analyst]
SELECT membership, count(*) AS idle_riders
FROM riders
WHERE id NOT IN (SELECT rider_id FROM trips)
GROUP BY membership
ORDER BY membership;

-- 277: Where was rider 25 going last? [analyst] (private rows)
SELECT t.started, s.name AS destination
FROM trips t JOIN stations s ON s.station_id = t.to_station
WHERE t.rider_id = 25
ORDER BY t.started DESC, t.trip_id
LIMIT 1;

-- 278: Share of round trips and trips from the rider's home station [analyst]
SELECT avg(CASE WHEN t.from_station = t.to_station THEN 1.0 ELSE 0.0 END) AS round_trip_share,
       avg(CASE WHEN t.from_station = r.home_station THEN 1.0 ELSE 0.0 END) AS from_home_share
FROM trips t
JOIN riders r ON r.id = t.rider_id;

-- 279: Average hours between the end of a trip and the start of the rider's next one [analyst]
SELECT avg(date_diff('hour', prev_end, started)) AS avg_gap_hours
FROM (
  SELECT rider_id, started, lag(ended) OVER (PARTITION BY rider_id ORDER BY started, trip_id) AS prev_end
  FROM trips
) x
WHERE prev_end IS NOT NULL AND prev_end <= started;

-- 280: Django: trips by bike type with average rating [orm]
SELECT "trips"."bike_type", COUNT("trips"."trip_id") AS "n", AVG("trips"."rating") AS "avg_rating" FROM "trips" GROUP BY "trips"."bike_type" ORDER BY "trips"."bike_type" ASC;

-- 281: SQLAlchemy: distinct riders with a trip longer than 10 km [orm]
SELECT count(DISTINCT trips.rider_id) AS count_1
FROM trips
WHERE trips.distance_km > 10.0;

-- 282: Django: dates of the first and last trip [orm]
SELECT MIN("trips"."started") AS "first", MAX("trips"."ended") AS "last" FROM "trips";

-- 283: SQLAlchemy: riders per membership that gave a phone number, with label [orm]
SELECT riders.membership AS riders_membership, count(riders.phone) AS with_phone, count(*) AS total
FROM riders
WHERE riders.birth_year IS NOT NULL GROUP BY riders.membership ORDER BY total DESC;

-- 284: Django: page of riders in the admin [orm] (private rows)
SELECT "riders"."id", "riders"."name", "riders"."phone", "riders"."membership" FROM "riders" ORDER BY "riders"."id" DESC LIMIT 100;

-- 285: ibis: mean fare by district of origin [ibis-dbplyr]
SELECT "t4"."district", AVG("t4"."fare") AS "mean_fare", COUNT(*) AS "n"
FROM (
  SELECT "t2"."fare", "t3"."district"
  FROM (SELECT * FROM "trips" AS "t0" WHERE "t0"."fare" > CAST(0 AS TINYINT)) AS "t2"
  INNER JOIN "stations" AS "t3" ON "t2"."from_station" = "t3"."station_id"
) AS "t4"
GROUP BY 1;

-- 286: dbplyr: trips by month and bike type, percentage within month [ibis-dbplyr]
SELECT q01.*, n * 100.0 / SUM(n) OVER (PARTITION BY "month") AS pct
FROM (
  SELECT "month", bike_type, COUNT(*) AS n
  FROM (
    SELECT trips.*, EXTRACT(MONTH FROM started) AS "month"
    FROM trips
  ) q01
  GROUP BY "month", bike_type
) q01
ORDER BY "month", bike_type;

-- 287: ibis: per-rider total distance, mean and standard deviation by membership [ibis-dbplyr]
SELECT "t4"."membership", AVG("t4"."km") AS "mean_km", STDDEV_SAMP("t4"."km") AS "sd_km"
FROM (
  SELECT "t2"."membership", "t3"."km"
  FROM "riders" AS "t2"
  INNER JOIN (
    SELECT "t0"."rider_id", SUM("t0"."distance_km") AS "km" FROM "trips" AS "t0" GROUP BY 1
  ) AS "t3" ON "t2"."id" = "t3"."rider_id"
) AS "t4"
GROUP BY 1;

-- 288: dbplyr: riders by decade of birth [ibis-dbplyr]
SELECT decade, COUNT(*) AS n
FROM (
  SELECT riders.*, FLOOR(birth_year / 10.0) * 10.0 AS decade
  FROM riders
) q01
WHERE (NOT((decade IS NULL)))
GROUP BY decade
ORDER BY decade;

-- 289: Tableau: trips by station capacity band and month [bi]
SELECT (CASE WHEN ("stations"."capacity" < 20) THEN 'small' ELSE 'large' END) AS "Calculation_capacity",
  CAST(DATE_TRUNC('month', "trips"."started") AS DATE) AS "tmn:started:ok",
  COUNT("trips"."trip_id") AS "cnt:trip_id:ok", COUNT(DISTINCT "trips"."rider_id") AS "ctd:rider_id:ok"
FROM "trips" LEFT JOIN "stations" ON ("trips"."to_station" = "stations"."station_id")
GROUP BY 1, 2
HAVING (COUNT(1) > 0);

-- 290: Looker: trips and riders per day for the first week of July [bi]
SELECT
    (DATE(trips.started AT TIME ZONE 'Europe/Amsterdam')) AS "trips.started_date",
    COUNT(*) AS "trips.count",
    COUNT(DISTINCT trips.rider_id) AS "riders.count"
FROM trips
WHERE trips.started >= TIMESTAMPTZ '2025-07-01 00:00:00+02' AND trips.started < TIMESTAMPTZ '2025-07-08 00:00:00+02'
GROUP BY 1
ORDER BY 1 DESC
LIMIT 500;

-- 291: Metabase: ratings count, with empty as a value [bi]
SELECT "trips"."rating" AS "rating", COUNT(*) AS "count"
FROM "trips"
GROUP BY "trips"."rating"
ORDER BY "trips"."rating" ASC NULLS FIRST;

-- 292: Superset: rollup of revenue by district and bike type [bi]
SELECT district AS district, bike_type AS bike_type, SUM(fare) AS "SUM(fare)"
FROM trips JOIN stations ON from_station = station_id
GROUP BY ROLLUP (district, bike_type)
ORDER BY district NULLS LAST, bike_type NULLS LAST
LIMIT 10000;

-- 293: kepler.gl: raw trip starts with coordinates for a map [bi] (private rows)
SELECT trips.trip_id, trips.rider_id, trips.started, stations.lat, stations.lon
FROM trips JOIN stations ON stations.station_id = trips.from_station
ORDER BY trips.trip_id
LIMIT 1000;

-- 294: Rain effect: trips per dry and wet day from the weather struct [notebook]
FROM trips
SELECT weather.rain AS rain, count(*) AS trips, count(DISTINCT started::DATE) AS days, count(*) / count(DISTINCT started::DATE) AS trips_per_day
GROUP BY ALL
ORDER BY rain;

-- 295: Temperature versus number of trips per day: correlation and slope [notebook]
WITH d AS (FROM trips SELECT started::DATE AS day, avg(weather.temp_c) AS temp, count(*) AS n GROUP BY ALL)
FROM d SELECT corr(temp, n) AS r, regr_slope(n, temp) AS trips_per_degree, regr_intercept(n, temp) AS base;

-- 296: Quartiles of distance by bike type as a list [notebook]
FROM trips
SELECT bike_type, quantile_cont(distance_km, [0.25, 0.5, 0.75]) AS quartiles
WHERE distance_km IS NOT NULL
GROUP BY ALL
ORDER BY bike_type;

-- 297: Daily trips in June on a full generated calendar with cumulative total [notebook]
WITH days AS (FROM range(DATE '2025-06-01', DATE '2025-07-01', INTERVAL 1 DAY) r(d) SELECT d::DATE AS d),
     t AS (FROM trips SELECT started::DATE AS d, count(*) AS n GROUP BY ALL)
FROM days LEFT JOIN t USING (d)
SELECT d, coalesce(n, 0) AS trips, sum(coalesce(n, 0)) OVER (ORDER BY d) AS running
ORDER BY d;

-- 298: Pivot trips: weekday in rows, bike type in columns [notebook]
PIVOT (FROM trips SELECT isodow(started) AS wd, bike_type) ON bike_type USING count(*) GROUP BY wd ORDER BY wd;

-- 299: Most popular destination of each district (QUALIFY) [notebook]
FROM trips t JOIN stations a ON a.station_id = t.from_station JOIN stations b ON b.station_id = t.to_station
SELECT a.district, b.name AS destination, count(*) AS n
GROUP BY a.district, b.name
QUALIFY row_number() OVER (PARTITION BY a.district ORDER BY count(*) DESC, b.name) = 1
ORDER BY a.district;

-- 300: Monthly rider retention: share of June riders riding again in each later month [analyst]
WITH june AS (SELECT DISTINCT rider_id FROM trips WHERE started >= '2025-06-01' AND started < '2025-07-01')
SELECT extract(month FROM t.started) AS month, count(DISTINCT t.rider_id) AS riders,
       count(DISTINCT t.rider_id) * 1.0 / (SELECT count(*) FROM june) AS retention
FROM trips t
JOIN june j ON j.rider_id = t.rider_id
GROUP BY 1
ORDER BY 1;
