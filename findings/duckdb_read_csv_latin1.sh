#!/usr/bin/env bash
# DuckDB's read_csv with encoding = 'latin-1' refuses a whole file for one byte from 0x80 to 0x9f, which ISO 8859-1
# maps to control characters like any other byte, and ignore_errors = true does not leave that line out.
#
# Seen with duckdb 2.0.1 and 1.5.5, on 2026-11-28: "Invalid Input Error: File is not latin-1 encoded", for a file of
# three lines of which one holds 0x85 (NEL). Python's codec reads all of it. Without that byte the file is read.
# So where lines belong to different people, one of them decides whether the others are read.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
for version in 2.0.1 1.5.5; do
  "$folder/venv/bin/pip" install -q "duckdb==$version"
  "$folder/venv/bin/python" - "$folder" <<'PYTHON'
import sys
from pathlib import Path

import duckdb

print("duckdb", duckdb.__version__)
file = Path(sys.argv[1]) / "cities.csv"
read = "SELECT city FROM read_csv(?, encoding = 'latin-1', ignore_errors = true, header = true) ORDER BY ALL"
file.write_bytes("city\nGenève\nZürich\n".encode("latin-1"))
assert duckdb.execute(read, [str(file)]).fetchall() == [("Genève",), ("Zürich",)]
data = "city\nGenève\nZürich\nChur\x85\n".encode("latin-1")
assert data.decode("iso-8859-1").count("\n") == 4  # each byte is a character of ISO 8859-1
file.write_bytes(data)
try:
    print("read:", duckdb.execute(read, [str(file)]).fetchall())
except duckdb.Error as error:
    print(str(error).splitlines()[0])
    assert "not latin-1 encoded" in str(error)
else:
    sys.exit("the behaviour has changed: the file is read")
PYTHON
done
