"""drizzle-orm, and drizzle-kit, which writes a schema from what it finds."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.gateway.clients.contract import NOISE, Served, check_counts, check_hidden
from tests.gateway.clients.nodejs import NodeTool, need_packages
from tests.gateway.clients.shop import PASSWORD

need_packages("pg", "drizzle-orm", "drizzle-kit")

CHARGED = ("count", "sum", "groups", "filtered")
FREE = ("public", "prepared", "transaction", "rows")
_CONFIG = """
module.exports = {{
  dialect: 'postgresql', out: '{out}', schemaFilter: ['public', 'archive'],
  dbCredentials: {{
    host: '127.0.0.1', port: {port}, user: 'drizzle', password: '{password}', database: 'shop', ssl: false
  }}
}}
"""


def test_contract_and_builder(served: Served) -> None:
    tool = NodeTool(served, "drizzle")
    tool.check_contract((*CHARGED, *FREE), charged=len(CHARGED))
    assert abs(tool.saw("count") - 6000) < NOISE
    ((total, mean),) = [row.values() for row in tool.saw("sum")]
    assert 200_000 < float(total) < 250_000
    assert 45 < float(mean) < 50
    check_counts([list(row.values()) for row in tool.saw("groups")], ["home", "news", "shop"])
    assert 2500 < tool.saw("filtered")[0]["n"] < 3500
    assert [row["weight"] for row in tool.saw("public")] == [1.5, None, 0.25]
    assert tool.saw("prepared")[0]["title"] == 'Buy "it"'
    assert tool.saw("transaction") == 3
    check_hidden(tool.refused("rows"))


def test_the_kit_pulls_the_schema(served: Served, tmp_path: Path) -> None:
    """It looks for its packages where it stands, beside which drizzle-orm must be."""
    before = served.count("drizzle")
    packages = Path(os.environ["NODE_PATH"])
    (tmp_path / "node_modules").symlink_to(packages)
    config = _CONFIG.format(out=tmp_path / "out", port=served.port, password=PASSWORD)
    (tmp_path / "drizzle.config.js").write_text(config)
    command = ["node", str(packages / "drizzle-kit" / "bin.cjs"), "pull"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr
    schema = (tmp_path / "out" / "schema.ts").read_text()
    assert _columns_of(schema, "visits") == {
        "visitor": 'bigint({ mode: "number" }).notNull()',
        "page": "text()",
        "age": "integer()",
        "day": "date()",
        "amount": "numeric({ precision: 9, scale:  2 })",
        "member": "boolean()",
    }
    assert _columns_of(schema, "pages") == {
        "page": "text().primaryKey().notNull()",
        "title": "text().notNull()",
        "weight": "doublePrecision()",
    }
    assert _columns_of(schema, "kinds")["names"] == "text().array()"
    assert 'archive.table("numbers"' in schema
    assert served.count("drizzle") == before


def _columns_of(schema: str, table: str) -> dict[str, str]:
    body = re.search(rf'Table\("{table}", \{{(.*?)\n\}}', schema, re.DOTALL)
    assert body is not None, schema
    return dict(re.findall(r"^\t(\w+): (.*),$", body[1], re.MULTILINE))
