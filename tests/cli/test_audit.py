"""`dpduck audit`: one readable page, nothing charged, nothing left behind, and no private value shown."""

from __future__ import annotations

import hashlib
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import pytest

from dpduck.doors.audit import run as auditing
from dpduck.doors.audit.carrying import Carrier
from dpduck.doors.audit.releases import Breach
from dpduck.kernel.release import Release
from tests.cli.processes import Run, finish, start

SECRET = "Zaphod7319"
LAST = re.compile(r"audit: (\d+) queries, (\d+) differences, (\d+\.\d\d) worst bound / claim")
UNIT = ("--unit", "basket", "--domain", "item=0..19")


@pytest.fixture
def kept(folder: Path, run: Run) -> Path:
    """A database with policies and a secret, of which something was asked."""
    file = folder / "kept.duckdb"
    with duckdb.connect(str(file)) as db:
        db.execute(
            f"CREATE TABLE people AS SELECT i AS id, i % 50 AS age, CASE i WHEN 3 THEN '{SECRET}' ELSE 'n' "
            "END AS name FROM range(80) AS r(i)"
        )
    for statement in (
        "ALTER TABLE people ADD PRIVACY_KEY (id)",
        "ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99)",
    ):
        assert run("query", str(file), statement).code == 0
    assert run("query", str(file), "SELECT count(*) FROM people", "--epsilon", "1").code == 0
    return file


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.is_file() and path.name.startswith("kept")
    }


def last_of(out: str) -> tuple[int, int, float]:
    found = LAST.fullmatch(out.splitlines()[-1])
    assert found, out
    return int(found[1]), int(found[2]), float(found[3])


class TestWhatIsPrinted:
    def test_a_page_of_text(self, kept: Path, run: Run, temporary: Path) -> None:
        before = digests(kept.parent)
        done = run("audit", str(kept), "--seconds", "1")
        assert (done.code, done.err) == (0, "")
        assert last_of(done.out)[:2] == (1, 0)
        assert "1 queries, those that were asked before" in done.out
        assert re.search(r"count\(\*\) FROM people +Count: score +1 +1$", done.out, re.MULTILINE)
        assert "that is no proof" in " ".join(done.out.split())
        assert max(map(len, done.out.splitlines())) <= 110
        assert SECRET not in done.out
        assert digests(kept.parent) == before
        assert list(temporary.iterdir()) == []

    @pytest.mark.parametrize("terms", ["LIMIT 3", "LIMIT 3 FOR bob", "LIMIT 3 DELTA 1e-6 ACCOUNTING zcdp"])
    def test_budgets_bind_the_original_alone(self, kept: Path, run: Run, terms: str) -> None:
        assert run("query", str(kept), f"CREATE PRIVACY BUDGET cap {terms}").code == 0
        before = digests(kept.parent)
        done = run("audit", str(kept), "--seconds", "1")
        assert (done.code, done.err) == (0, "")
        assert digests(kept.parent) == before

    def test_queries_of_a_file(self, kept: Path, run: Run) -> None:
        queries = kept.with_name("some.sql")
        queries.write_text(
            "SELECT median(age) FROM people;\nSELECT age FROM people; -- rows\n"
            "SELECT avg(age) FROM people WHERE name <> 'n'; CREATE TABLE x(i INT)"
        )
        done = run("audit", str(kept), "--queries", str(queries), "--seconds", "1")
        assert done.code == 0
        assert last_of(done.out)[:2] == (2, 0)
        refused = done.out.partition("Refused, so not audited: ")[2]
        assert refused.startswith("2\n  SELECT age FROM people\n")

    def test_queries_made_from_the_policies(self, kept: Path, run: Run) -> None:
        Path(f"{kept}.ledger").unlink()
        Path(f"{kept}.ledger.anchor").unlink()
        done = run("audit", str(kept), "--seconds", "1")
        assert "made from the policies" in done.out
        assert last_of(done.out)[0] >= 6
        assert not Path(f"{kept}.ledger").exists()

    @pytest.mark.parametrize("name", ["baskets.parquet", "baskets.csv"])
    def test_a_file_of_rows(self, run: Run, folder: Path, name: str) -> None:
        Path("some.sql").write_text(
            "SELECT count(*) FROM baskets; SELECT item, count(*) FROM baskets GROUP BY 1"
        )
        done = run("audit", name, *UNIT, "--queries", "some.sql", "--seconds", "1")
        assert (done.code, done.err) == (0, "")
        assert last_of(done.out)[1] == 0
        assert re.search(r"[1-9]\d* neighbours", done.out)
        assert not (folder / f"{name}.ledger").exists()

    def test_html(self, kept: Path, run: Run) -> None:
        done = run("audit", str(kept), "--seconds", "1", "--html", "page.html")
        assert (done.code, done.err) == (0, "wrote page.html\n")
        html = kept.with_name("page.html").read_text(encoding="utf-8")
        assert html.startswith("<!DOCTYPE html>")
        assert "Privacy audit of <bdi>kept.duckdb</bdi>" in html
        assert done.out.splitlines()[-1] in html
        assert "default-src 'none'" in html.replace("&#x27;", "'")
        assert SECRET not in html
        assert "<script" not in html


class TestWhatIsFound:
    @pytest.fixture
    def leaky(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whoever is missing changes a release beyond its numbers."""

        def law(plan: object, one: Release, two: Release) -> Breach:
            where = ": at 1 there are ('Zaphod7319',) and ('n',)"
            return Breach("the order of the same groups differs", where)

        monkeypatch.setattr(auditing, "Carrier", lambda: Carrier(law=law))

    def test_exit_code_and_page(self, kept: Path, run: Run, leaky: None) -> None:
        done = run("audit", str(kept), "--seconds", "1", "--html", "page.html")
        assert done.code == 1
        assert last_of(done.out)[:2] == (1, 1)
        assert "the order of the same groups differs; Python; without unit 1 of people" in done.out
        assert SECRET not in done.out + kept.with_name("page.html").read_text(encoding="utf-8")
        assert "--details OUT writes both sides" in done.err

    def test_details_are_for_the_owner(self, kept: Path, run: Run, leaky: None) -> None:
        done = run("audit", str(kept), "--seconds", "1", "--details", "details.txt")
        assert done.code == 1
        assert "shows private values" in done.err
        place = kept.with_name("details.txt")
        assert place.stat().st_mode & 0o077 == 0
        text = place.read_text(encoding="utf-8")
        assert "--- the database as it is\ncharged: 20" in text
        assert "--- its neighbour\ncharged: 20" in text


class TestWhatCannotBeAudited:
    def test_a_missing_file(self, run: Run) -> None:
        done = run("audit", "nowhere.duckdb")
        assert (done.code, done.out) == (1, "")
        assert "file nowhere.duckdb does not exist" in done.err

    def test_a_file_in_use(self, kept: Path, run: Run) -> None:
        script = f"import duckdb, sys; c = duckdb.connect({str(kept)!r}); print('held', flush=True)"
        command = [sys.executable, "-c", f"{script}; sys.stdin.read()"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"held\n"
            done = run("audit", str(kept), "--seconds", "1")
            assert holder.stdin is not None
            holder.stdin.close()
        assert (done.code, done.out) == (1, "")
        assert "cannot be opened" in done.err
        assert "lock" in done.err

    @pytest.mark.parametrize("text", ["", "  \n-- only a comment\n;;"])
    def test_no_query(self, kept: Path, run: Run, text: str) -> None:
        kept.with_name("none.sql").write_text(text)
        done = run("audit", str(kept), "--queries", "none.sql")
        assert (done.code, done.out) == (1, "")
        assert "there is no query in none.sql" in done.err

    def test_queries_that_cannot_be_read(self, kept: Path, run: Run) -> None:
        kept.with_name("odd.sql").write_bytes(b"SELECT '\xff'")
        for name, said in (
            ("nowhere.sql", "does not exist"),
            ("odd.sql", "not UTF-8"),
            (".", "cannot be read"),
        ):
            done = run("audit", str(kept), "--queries", name)
            assert (done.code, done.out) == (1, ""), name
            assert said in done.err

    def test_only_refused_queries(self, kept: Path, run: Run) -> None:
        kept.with_name("bad.sql").write_text("SELECT * FROM people; SELECT 1 +; DROP TABLE people")
        done = run("audit", str(kept), "--queries", "bad.sql", "--seconds", "1")
        assert done.code == 0
        assert last_of(done.out) == (0, 0, 0.0)
        assert "Refused, so not audited: 3" in done.out

    def test_nothing_private(self, run: Run) -> None:
        done = run("audit", "shop.duckdb")
        assert (done.code, done.out) == (1, "")
        assert "nothing in shop.duckdb is private" in done.err

    def test_views_of_files(self, kept: Path, run: Run) -> None:
        """Nobody is taken away from them, and that is said."""
        with duckdb.connect(str(kept)) as db:
            db.execute("CREATE VIEW filed AS FROM read_parquet('baskets.parquet')")
        assert run("query", str(kept), "ALTER TABLE filed ADD PRIVACY_KEY (basket)").code == 0
        done = run("audit", str(kept), "--seconds", "1")
        assert done.code == 0
        assert "not without the people of views of files: filed" in done.out
        with duckdb.connect(str(kept)) as db:
            db.execute("DROP TABLE people")
        done = run("audit", str(kept))
        assert (done.code, done.out) == (1, "")
        assert "only views are private in" in done.err

    def test_many_files(self, run: Run, folder: Path) -> None:
        done = run("audit", "*.parquet", *UNIT)
        assert done.code == 1
        assert "is not one file" in done.err

    @pytest.mark.parametrize(
        "arguments",
        [
            ("baskets.parquet",),
            ("baskets.parquet", *UNIT, "--seconds", "0"),
            ("baskets.parquet", *UNIT, "--seconds", "soon"),
            ("shop.duckdb", "--unit", "basket"),
            ("shop.duckdb", "--html", "shop.duckdb"),
        ],
    )
    def test_bad_usage(self, run: Run, arguments: tuple[str, ...]) -> None:
        done = run("audit", *arguments)
        assert (done.code, done.out) == (2, "")


def test_an_interrupted_audit_leaves_nothing(kept: Path, temporary: Path) -> None:
    process = start("audit", str(kept), "--seconds", "60", folder=kept.parent)
    deadline = time.monotonic() + 30
    while not list(temporary.glob("dpduck-audit-*/*")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    done = finish(process)
    assert (done.code, done.out) == (130, "")
    assert "interrupted. Nothing was charged." in done.err
    assert list(temporary.glob("dpduck-audit-*")) == []
