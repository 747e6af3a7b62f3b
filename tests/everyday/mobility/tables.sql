-- deterministic data; hash(hash(..)) because the low bits of hash(a, const) are correlated between constants
CREATE TABLE stations (station_id INTEGER PRIMARY KEY, name VARCHAR, district VARCHAR, lat DOUBLE, lon DOUBLE, capacity INTEGER);
INSERT INTO stations
SELECT i, 'Station ' || i, (['Centre','North','South','Harbour','Airport'])[1 + (i % 5)], round(52.30 + ((i * 37) % 100) / 800.0, 5), round(4.80 + ((i * 53) % 100) / 600.0, 5), 10 + (i * 7) % 25
FROM range(1, 26) t(i);

CREATE TABLE riders (id BIGINT PRIMARY KEY, name VARCHAR, birth_year SMALLINT, membership ENUM('casual','monthly','annual'), home_station INTEGER, signed_up TIMESTAMPTZ, phone VARCHAR, has_helmet BOOLEAN);
INSERT INTO riders
SELECT i, 'Rider ' || i, CASE WHEN hash(hash(i,801))%14 = 0 THEN NULL ELSE (1950 + hash(hash(i,802))%57)::SMALLINT END,
  (['casual','casual','monthly','annual','annual'])[1 + (hash(hash(i,803))%5)::INT],
  CASE WHEN hash(hash(i,804))%6 = 0 THEN NULL ELSE (1 + hash(hash(i,805))%25)::INT END,
  TIMESTAMPTZ '2025-02-01 00:00:00+00' + to_hours((hash(hash(i,806))%2400)::INT),
  CASE WHEN hash(hash(i,807))%4 = 0 THEN NULL ELSE '+31-6-' || lpad((hash(hash(i,808))%99999999)::VARCHAR, 8, '0') END,
  CASE WHEN hash(hash(i,809))%5 = 0 THEN NULL ELSE hash(hash(i,810))%2 = 0 END
FROM range(1, 601) t(i);

CREATE TABLE trips (trip_id BIGINT, rider_id BIGINT, started TIMESTAMPTZ, ended TIMESTAMPTZ, from_station INTEGER, to_station INTEGER, distance_km DOUBLE, fare DECIMAL(6,2), bike_type VARCHAR, weather STRUCT(temp_c DOUBLE, rain BOOLEAN), rating SMALLINT);
INSERT INTO trips
SELECT r.id * 100 + k, r.id,
  TIMESTAMPTZ '2025-06-01 00:00:00+00' + to_days((hash(hash(r.id,k,821))%120)::INT) + to_minutes((360 + (hash(hash(r.id,k,822))%500) + (hash(hash(r.id,k,823))%500))::INT),
  CASE WHEN hash(hash(r.id,k,824))%40 = 0 THEN NULL ELSE TIMESTAMPTZ '2025-06-01 00:00:00+00' + to_days((hash(hash(r.id,k,821))%120)::INT) + to_minutes((360 + (hash(hash(r.id,k,822))%500) + (hash(hash(r.id,k,823))%500) + 3 + (hash(hash(r.id,k,825))%9)*(hash(hash(r.id,k,826))%9))::INT) END,
  (1 + (hash(hash(r.id,k,827))%5)*(hash(hash(r.id,k,828))%7))::INT, (1 + (hash(hash(r.id,k,829))%25))::INT,
  CASE WHEN hash(hash(r.id,k,830))%30 = 0 THEN NULL ELSE round(0.3 + (hash(hash(r.id,k,825))%9)*(hash(hash(r.id,k,826))%9)/5.0 + (hash(hash(r.id,k,831))%100)/100.0, 2) END,
  (CASE r.membership WHEN 'casual' THEN 100 + 15 * (hash(hash(r.id,k,825))%9)*(hash(hash(r.id,k,826))%9) WHEN 'monthly' THEN 5 * (hash(hash(r.id,k,825))%9)*(hash(hash(r.id,k,826))%9) ELSE 0 END / 100.0)::DECIMAL(6,2),
  (['classic','classic','electric'])[1 + (hash(hash(r.id,k,832))%3)::INT],
  {'temp_c': round(8 + (hash(hash(hash(hash(r.id,k,821))%120, 833))%180)/10.0, 1), 'rain': hash(hash(hash(hash(r.id,k,821))%120, 834))%4 = 0},
  CASE WHEN hash(hash(r.id,k,835))%2 = 0 THEN NULL ELSE (1 + hash(hash(r.id,k,836))%5)::SMALLINT END
FROM riders r, range(0, 26) t(k)
WHERE hash(hash(r.id,837))%10 > 0 AND k <= hash(hash(r.id,820))%25;
