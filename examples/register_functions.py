"""Private functions on a plain DuckDB connection, for whoever may read the rows and publishes the answers.

python -m examples.register_functions

Each row is a privacy unit here, and you vouch for that. So do you for the list of gates, which is public.
"""

import duckdb

import dpduck

FLIGHTS = """
CREATE TABLE flights AS
SELECT i AS flight, CASE WHEN i % 2 = 0 THEN 'AMS' WHEN i % 3 = 0 THEN 'JFK' ELSE 'NRT' END AS gate,
    i % 181 AS delay
FROM range(6000) AS r(i)
"""
GATES = "CREATE TABLE gates AS SELECT unnest(['AMS', 'JFK', 'NRT', 'SFO']) AS gate"
# Each gate of the public list has a count, whatever the rows are.
COUNTS = "SELECT gate, count(flight) AS n FROM gates LEFT JOIN flights USING (gate) GROUP BY gate"


def main() -> None:
    with duckdb.connect() as con:
        con.execute(FLIGHTS)
        con.execute(GATES)
        dpduck.register(con, session="report", budget="2")

        median = "SELECT dp_median(delay, 0.5, lo := 0, hi := 1440) FROM flights"
        print("median delay:", con.execute(median).fetchone())
        mode = "SELECT dp_mode(gate, 0.5, domain := ['AMS', 'JFK', 'NRT', 'SFO']) FROM flights"
        print("busiest gate:", con.execute(mode).fetchone())
        winners = f"SELECT unnest(dp_top_k_counts(gate, n, 2, 0.5)) AS w FROM ({COUNTS})"
        top = f"SELECT w.key, w.count, w.low, w.high FROM ({winners})"
        print("top two:", con.execute(top).fetchall())
        print("spent:", con.execute("SELECT epsilon_spent, epsilon_limit FROM dp_budget()").fetchone())


if __name__ == "__main__":
    main()
