"""The comparison runs at a tiny size; a tool that cannot be installed does not stop it."""

import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.papers.data import Source
from benchmarks.peers import compare, tools
from benchmarks.peers.compare import DPDUCK, EVEN, OPENDP, RIVALS, SMARTNOISE, TENTH, TUMULT
from benchmarks.peers.tools import SCRIPTS, PeerError, Rival
from benchmarks.report.results import load

OURS = tuple(rival for rival in RIVALS if not rival.packages)
IMPOSSIBLE = Rival("impossible", "opendp_core", ("duckdb==0.0.0.1",))


def record(rival: str, rmse: float | None, **others: Any) -> dict[str, Any]:
    usual = {"job": "top_10", "title": "top 10", "unit": "records", "median": None, "peak_mib": None}
    usual |= {"rmse": rmse, "recall": 1.0, "draws": 200 if rmse else 0, "lines": None, "note": ""}
    return {"rival": rival, **usual, **others}


def test_it_runs_without_a_tool_that_cannot_be_installed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = Source.of(tmp_path / "cache", None, 0.001)
    compare.main(source, tmp_path, repeats=2, draws=30, rivals=[*OURS, IMPOSSIBLE])
    records = load(tmp_path / "peers.jsonl")
    done = {(r["rival"], r["job"]): r for r in records}
    assert len(done) == len(records) == 3 + 1 + 3
    for job in ("top_10", "median", "mode"):
        ours, other = done[DPDUCK, job], done["impossible", job]
        assert len(ours["seconds"]) == 2
        assert 0 < min(ours["seconds"]) <= ours["median"] <= max(ours["seconds"])
        assert ours["peak_mib"] > 30
        assert ours["draws"] == (30 if job == "top_10" else 2)
        assert (other["seconds"], other["median"], other["draws"]) == ([], None, 0)
        assert other["note"].startswith("not installed: ERROR: ")
    assert done[EVEN, "top_10"]["draws"] == 30
    assert 0.5 < done[DPDUCK, "top_10"]["recall"] <= 1
    assert [line.label for figure in compare.figures(records) for line in figure.lines] == [DPDUCK]
    assert "not installed" in capsys.readouterr().out


def test_a_job_that_takes_too_long_is_cut() -> None:
    with pytest.raises(PeerError, match=r"^> 0\.2 s$"):
        tools.run(["sleep", "5"], limit=0.2)


def test_what_went_wrong_is_said_without_addresses() -> None:
    with pytest.raises(PeerError, match=r"^ValueError: at 1$"):
        tools.run(["sh", "-c", "echo 'ValueError: at /some/where 1' >&2; exit 1"])


def test_lines_of_the_user_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "SCRIPTS", tmp_path)
    text = "# user: every job\nimport a\n# end\nx = 1\n# user: mode, other\n\n# why\n    y = (\n        2)\n"
    (tmp_path / "one.py").write_text(
        text + "# end\n# user: top_10\nz = 3\n# end\n# user: mode\nw = 4\n# end\nv = 5\n"
    )
    assert [tools.lines("one", job) for job in ("mode", "other", "top_10", "median")] == [4, 3, 2, 1]


@pytest.mark.parametrize("rival", [r for r in RIVALS if r.jobs], ids=lambda rival: rival.name)
def test_every_job_has_its_lines_marked(rival: Rival) -> None:
    text = (SCRIPTS / f"{rival.script}.py").read_text(encoding="utf-8")
    assert text.count("# user: ") == text.count("# end\n")
    least = tools.lines(rival.script, "")
    for job in rival.jobs:
        assert f"\ndef {job}(file: str, size: int)" in text
        assert tools.lines(rival.script, job) > least > 0
    assert rival.draws == ("\ndef top_10_draws(" in text)


def test_errors_are_root_mean_squares() -> None:
    work = compare.Work("top_10", "", "records", Path(), 5, lambda a: [a, -a], lambda a: a / 10)
    errors = compare._errors(work, [1, 7])
    assert errors == {"rmse": 5.0, "rmse_error": 2.4, "recall": 0.4, "draws": 2}
    assert compare._errors(work, []) == {"rmse": None, "rmse_error": None, "recall": None, "draws": 0}


def test_a_job_that_was_run_alone_stands_for_itself() -> None:
    """What is shown is of the last full-size run of each job."""
    lines = [("1", "top_10", 1), ("1", "mode", 1), ("2", "mode", 1), ("3", "top_10", 0.1), ("4", "tables", 1)]
    usual = {"packages": {"duckdb": "2"}}
    records = [{"run": run, "job": job, "scale": scale, **usual} for run, job, scale in lines]
    assert [r["run"] for r in compare.latest(records)] == ["1", "2"]


def test_claims_hold_or_do_not() -> None:
    errors = {DPDUCK: 14.0, EVEN: 18.0, OPENDP: 28.0, TENTH: 13.0}
    shown = list(compare.claims([record(*pair) for pair in errors.items()]))
    assert [cells[2:] for cells in shown] == [
        ["14.0", "yes"],
        ["14.0", ""],
        ["18.0", ""],
        ["0.50", "yes"],
        ["1.08", "no"],
    ]
    assert list(compare.claims([record(DPDUCK, None), record(OPENDP, 28.0)])) == []


def test_times_are_beside_those_of_others() -> None:
    """A job that was cut took at least that long: enough to claim something, or not."""
    found = [
        record(DPDUCK, None, median=2.0),
        record(DPDUCK, None, job="mode", title="mode", median=1.0),
        record(OPENDP, None, median=3.0),
        record(OPENDP, None, job="mode", title="mode", median=0.9),
        record(SMARTNOISE, None, median=39.0),
        record(SMARTNOISE, None, job="mode", title="mode", note="> 100 s"),
        record(TUMULT, None, note="> 30 s; a remark"),
        record(TUMULT, None, job="mode", title="mode", note="not installed: no word"),
        record(TUMULT, None, job="median", title="median", median=9.0),
        record(TENTH, None, median=3.0),
    ]
    assert list(compare.claims(found)) == [
        ["top 10: seconds of OpenDP core / dpduck's", ">= 1", "1.5", "yes"],
        ["mode: seconds of OpenDP core / dpduck's", ">= 1", "0.9", "no"],
        ["top 10: seconds of SmartNoise SQL / dpduck's", ">= 20", "19.5", "no"],
        ["mode: seconds of SmartNoise SQL / dpduck's", ">= 20", "> 100.0", "yes"],
        ["top 10: seconds of Tumult Analytics / dpduck's", ">= 20", "> 15.0", ""],
    ]


def test_memory_is_that_of_all_its_processes() -> None:
    """A process that starts another one counts what both ever held."""
    first = "import subprocess, sys; sys.path.insert(0, sys.argv[1]); import child"
    large = "b = bytearray(200 << 20)"
    other = f"[sys.executable, '-c', '{large}; print(1, flush=True); input()']"
    below = f"p = subprocess.Popen({other}, stdin=-1, stdout=-1); p.stdout.readline()"
    for text in (large, below):
        script = f"{first}; {text}; print(child.peak())"
        done = tools.run([sys.executable, "-c", script, str(SCRIPTS)], limit=60)
        assert 200 < float(done) < 260


def test_rows_leave_out_what_was_not_measured() -> None:
    missing = record("a", None, recall=None, note="> 100 s")
    assert compare.rows([missing]) == [["top 10", "a", "", "", "", "", "", "", "> 100 s"]]
    full = record("b", 1234.56, median=1.5, peak_mib=2048, lines=7)
    shown = ["top 10", "b", "1.50", "2,048", "1,234.6 records", "100.0", "200", "7", ""]
    assert compare.rows([full]) == [shown]
