"""An analyst without the file: `dpduck serve` in one process, psycopg in another.

python -m examples.gateway_with_psycopg      needs dpduck[gateway] and psycopg
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from examples.python_connection import make_shop

DPDUCK = [sys.executable, "-m", "dpduck"]
PASSWORD = "correct horse battery staple"


@contextmanager
def serving(file: Path) -> Iterator[int]:
    """Serve the file while the block runs. Output: the port."""
    let_in = [*DPDUCK, "analyst", "add", str(file), "ana", "--password-stdin"]
    subprocess.run(let_in, input=PASSWORD, text=True, check=True, stdout=subprocess.DEVNULL)
    command = [*DPDUCK, "serve", str(file), "--epsilon", "0.5", "--port", "0", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield int(server.stdout.readline().rpartition(":")[2])  # listening on 127.0.0.1:54321
        server.terminate()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "shop.duckdb"
        make_shop(file)
        with serving(file) as port:
            address = {"host": "127.0.0.1", "port": port, "user": "ana", "dbname": "shop"}
            with psycopg.connect(**address, password=PASSWORD) as con:
                query = "SELECT page, count(*) AS n FROM visits WHERE age < %s GROUP BY page ORDER BY page"
                print("under 40:", con.execute(query, [40]).fetchall())
                try:
                    con.execute("SELECT * FROM visits")
                except psycopg.Error as error:
                    print("refused:", error.diag.message_primary)


if __name__ == "__main__":
    main()
