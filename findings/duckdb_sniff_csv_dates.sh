#!/usr/bin/env bash
# DuckDB's sniff_csv reports equal columns and types for two files of which one has one line more, while the format by
# which all dates are read differs: an ambiguous file is taken as %d/%m/%Y, and one line with a day above 12 turns it
# into %m/%d/%Y. DESCRIBE shows DATE for both, so that whoever compares schemas sees nothing, and each date of the other
# 2,000 lines is another day.
#
# Seen with duckdb 2.0.1 and 1.5.5, on 2026-11-28: 0 and 1,834 lines on or after 2024-02-01 (one of which is new).
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
lines = "".join(f"{i},{i % 12 + 1:02d}/01/2024,plan\n" for i in range(2000))
seen = []
for more in ("", "2000,06/15/2024,plan\n"):
    file = Path(sys.argv[1]) / "starts.csv"
    file.write_text("id,started,what\n" + lines + more)
    form, columns = duckdb.execute("SELECT DateFormat, Columns FROM sniff_csv(?)", [str(file)]).fetchone()
    count = "SELECT count(*) FROM read_csv(?) WHERE started >= DATE '2024-02-01'"
    seen.append((form, [column["type"] for column in columns], duckdb.execute(count, [str(file)]).fetchone()[0]))
    print(*seen[-1])
(form, types, count), (other_form, other_types, other_count) = seen
assert types == other_types and form != other_form and other_count - count > 1_000
PYTHON
done
