-- Private answers in the DuckDB shell: asks a server of dpduck (`dpduck serve`), through DuckDB's own
-- extension `postgres`. Type this first, once for each machine and then once for each shell:
--
--     INSTALL postgres;
--     ATTACH 'host=127.0.0.1 port=5433 user=ana dbname=shop' AS dpduck (TYPE postgres, READ_ONLY);
--     .read sql/duckdb_shell.sql
--
-- The password is taken from the variable PGPASSWORD, or from ~/.pgpass. Then ask, in ordinary SQL:
--
--     FROM dp('SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 3');
--
-- Quotes within are doubled, or the question stands in $$: FROM dp($$SELECT ... WHERE page = 'home'$$).
-- Each FROM dp(...) is one question and pays for itself; what goes around it costs nothing more.

CREATE OR REPLACE MACRO dp(q) AS TABLE FROM postgres_query('dpduck', q);
