"""dbt with its adapter for PostgreSQL: debug, compile, show, run, tests of sources, its documentation.

Its commands run in one process of its own environment (dbt's `dbtRunner`): it takes seconds to be imported.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.gateway.clients.contract import Answer, Refusal, Served, check_contract
from tests.gateway.clients.shop import PASSWORD

DBT = os.environ.get("DBT") or shutil.which("dbt")  # its dependencies want an environment of their own

pytestmark = pytest.mark.skipif(DBT is None, reason="dbt is not installed")

_PROJECT = """
name: shop
version: "1.0"
profile: shop
models: {shop: {+materialized: ephemeral}}
flags: {send_anonymous_usage_stats: false}
"""
_SOURCES = """
version: 2
sources:
  - name: shop
    database: shop
    schema: public
    tables:
      - name: pages
        columns: [{name: page, tests: [unique, not_null]}]
      - name: visits
        columns:
          - name: page
            tests: [{accepted_values: {values: [home, news, shop, help, jobs]}}]
"""
# Models that are asked when dbt runs, and kept by nobody but the ledger.
_ANSWER = """
{% materialization answer, adapter='postgres' %}
  {% call statement('main', fetch_result=True) %}{{ sql }}{% endcall %}
  {{ return({'relations': []}) }}
{% endmaterialization %}
"""
_TITLES = "{{ config(materialized='answer') }} select title from {{ source('shop', 'pages') }} order by title"
_MODEL = "select page, count(*) from {{ source('shop', 'visits') }} group by page order by count desc"


# Told a folder and arguments of dbt, as a line of JSON, it answers with the exit code and what was printed.
_RUNNER = """
import contextlib, io, json, os, sys
from dbt.cli.main import dbtRunner
for line in sys.stdin:
    folder, arguments = json.loads(line)
    os.chdir(folder)
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
        done = dbtRunner().invoke(arguments)
    code = 0 if done.success else 1 if done.exception is None else 2
    print(json.dumps([code, said.getvalue()]), flush=True)
"""


@dataclass(frozen=True)
class Runner:
    """A process in which dbt is imported."""

    process: subprocess.Popen[str]

    def run(self, folder: Path, arguments: Sequence[str]) -> tuple[int, str]:
        asks, says = self.process.stdin, self.process.stdout
        assert asks is not None
        assert says is not None
        asks.write(json.dumps([str(folder), arguments]) + "\n")
        asks.flush()
        code, text = json.loads(says.readline())
        return code, text


@dataclass(frozen=True)
class Project:
    """A folder of models, and what runs them."""

    folder: Path
    runner: Runner

    def dbt(self, *arguments: str) -> tuple[int, str]:
        """The exit code of dbt, and what it prints."""
        return self.runner.run(
            self.folder, ["--no-use-colors", *arguments, "--profiles-dir", str(self.folder)]
        )


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    assert DBT is not None
    command = [str(Path(DBT).absolute().with_name("python")), "-c", _RUNNER]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    options = {**kept, "PGOPTIONS": "-c dp_replay=off"}
    pipes = subprocess.PIPE
    with subprocess.Popen(command, env=options, stdin=pipes, stdout=pipes, text=True) as process:
        yield Runner(process)
        process.communicate(timeout=30)
        assert process.returncode == 0


@pytest.fixture
def project(served: Served, runner: Runner, tmp_path: Path) -> Project:
    (tmp_path / "models").mkdir()
    (tmp_path / "macros").mkdir()
    (tmp_path / "macros" / "answer.sql").write_text(_ANSWER)
    (tmp_path / "models" / "titles.sql").write_text(_TITLES)
    (tmp_path / "dbt_project.yml").write_text(_PROJECT)
    (tmp_path / "models" / "sources.yml").write_text(_SOURCES)
    (tmp_path / "models" / "per_page.sql").write_text(_MODEL)
    outputs = {
        user: {"type": "postgres", "host": "127.0.0.1", "port": served.port, "user": user, "schema": "public"}
        | {"password": PASSWORD, "dbname": "shop", "threads": 1}
        for user in ("dbt", "bea")
    }
    profiles = {"shop": {"target": "dbt", "outputs": outputs}}
    (tmp_path / "profiles.yml").write_text(json.dumps(profiles))  # which is YAML too
    return Project(tmp_path, runner)


def test_contract(served: Served, project: Project) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        return [_answer(project, user, question) for question in questions]

    check_contract(served, "dbt", ask, hides=("sqlstate",))


def _answer(project: Project, user: str, question: str) -> Answer:
    show = ("show", "--inline", question, "--limit", "-1", "--output", "json", "--log-format", "json")
    _, text = project.dbt("--quiet", *show, "--target", user)
    if "DETAIL:" in text:
        said = next(json.loads(line)["info"]["msg"] for line in text.splitlines() if "DETAIL:" in line)
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        start = next(n for n, line in enumerate(lines) if line.startswith("DETAIL:"))
        first = start - 3 if lines[start - 1] == "^" else start - 1
        rest = [line for line in lines[start:] if not line.startswith("compiled ")]
        return Refusal.of_text("\n".join([f"ERROR: {lines[first].removeprefix('Database Error')}", *rest]))
    line = next(line for line in text.splitlines() if '"preview"' in line)
    return [tuple(row.values()) for row in json.loads(json.loads(line)["data"]["preview"])]


def test_life_of_a_project(served: Served, project: Project) -> None:
    before = served.count("dbt")
    for command in (["debug"], ["compile"], ["docs", "generate"]):
        code, text = project.dbt(*command)
        assert code == 0, text
    assert served.count("dbt") == before
    catalog = json.loads((project.folder / "target" / "catalog.json").read_text())
    visits = catalog["sources"]["source.shop.shop.visits"]
    assert visits["columns"]["amount"]["type"] == "numeric(9,2)"
    assert visits["columns"]["visitor"]["comment"] == "privacy unit"
    code, text = project.dbt("test")
    assert code == 0, text
    assert "PASS=3 WARN=0 ERROR=0" in text
    code, text = project.dbt("show", "--select", "per_page")
    assert code == 0, text
    assert [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")][2:4] == [
        "home",
        "news",
    ]


def test_run(served: Served, project: Project) -> None:
    """A model of public data is free, one of private rows is charged, and one that writes is refused."""
    before = served.count("dbt")
    code, text = project.dbt("run")
    assert code == 0, text
    assert "PASS=1 WARN=0 ERROR=0" in text  # per_page is ephemeral: nothing to run
    assert served.count("dbt") == before
    (project.folder / "models" / "per_page.sql").write_text("{{ config(materialized='answer') }} " + _MODEL)
    code, text = project.dbt("run")
    assert code == 0, text
    assert "SELECT 5" in text
    assert served.count("dbt") == before + 1
    (project.folder / "models" / "titles.sql").write_text(
        "{{ config(materialized='table') }} select 1 as one"
    )
    code, text = project.dbt("run", "--select", "titles")
    assert code == 1
    assert "CREATE is not supported" in text
    assert "Nothing was charged." in text
    assert served.count("dbt") == before + 1
