"""psql: questions, statements about the connection, COPY, and the lists of what there is."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

import pytest

from tests.gateway.clients.contract import (
    COUNT,
    FRESH,
    HIDDEN,
    TOP,
    Answer,
    Refusal,
    Served,
    check_contract,
    check_counts,
)

if shutil.which("psql") is None:
    pytest.skip("psql is not installed (Debian: apt-get install postgresql-client)", allow_module_level=True)


def psql(
    served: Served, *arguments: str, user: str = "psql", script: str | None = None, notices: bool = True
) -> str:
    """What psql prints: aligned, or unaligned with -At. `notices`: with what it says beside answers."""
    where = f"host=127.0.0.1 port={served.port} user={user} dbname=shop options='{FRESH}'"
    done = subprocess.run(
        ["psql", "-X", *arguments, where],
        input=script,
        stdin=subprocess.DEVNULL if script is None else None,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if notices else subprocess.PIPE,
        text=True,
        timeout=30,
    )
    return done.stdout or done.stderr or ""


def test_contract(served: Served) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        verbose = ("-At", "-v", "VERBOSITY=verbose", "-c")
        return [_read(psql(served, *verbose, question, user=user, notices=False)) for question in questions]

    check_contract(served, "psql", ask)


def _read(printed: str) -> Answer:
    if printed.startswith("ERROR"):
        return Refusal.of_text(printed)
    return [line.split("|") for line in printed.splitlines()]


def test_screen_of_a_refusal(served: Served) -> None:
    assert psql(served, "-c", HIDDEN) == (
        "ERROR:  private rows cannot be listed\n"
        "LINE 1: SELECT visitor, page FROM visits\n"
        "               ^\n"
        "DETAIL:  Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.\n"
        "HINT:  Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or "
        "SELECT count(*), avg(x), median(x) FROM t.\n"
    )


def test_replays_say_so_and_cost_nothing(served: Served) -> None:
    said = psql(served, script=f"SET dp_replay = on;\n{COUNT};\n{COUNT};\n")
    before = served.count("psql")
    again = psql(served, script=f"SET dp_replay = on;\n{COUNT};\n")
    assert "NOTICE:  This is from the answer of" in again
    assert said.splitlines()[-5:] == again.splitlines()[-5:]
    assert served.count("psql") == before


def test_cursors(served: Served) -> None:
    before = served.count("psql")
    printed = psql(
        served,
        "-At",
        script=(
            f"BEGIN;\nDECLARE few CURSOR FOR {TOP};\nFETCH 2 FROM few;\nMOVE ALL few;\nFETCH few;\n"
            "FETCH BACKWARD 1 FROM few;\nROLLBACK;\nFETCH few;\n"
            "DECLARE few CURSOR WITH HOLD FOR TABLE pages;\nFETCH ALL IN few;\nCLOSE few;\n"
        ),
    )
    said = printed.splitlines()
    check_counts(
        [line.split("|") for line in said if line.startswith(("home|", "news|"))][:2], ["home", "news"]
    )
    assert said[:2] == ["BEGIN", "DECLARE CURSOR"]
    assert said[said.index("MOVE 1") + 1] == "ERROR:  a cursor only goes forward"
    assert said[-8:-5] == ["ROLLBACK", "ERROR:  there is no portal 'few'", "DETAIL:  Nothing was charged."]
    kept = ["home|Start|1.5", "news|What's new|", 'shop|Buy "it"|0.25']
    assert said[-5:] == ["DECLARE CURSOR", *kept, "CLOSE CURSOR"]
    assert served.count("psql") == before + 1


DESCRIBED = {
    r"\d": ["public | kinds  | table", "public | pages  | table", "public | visits | table"],
    r"\dt archive.*": ["archive | numbers | table"],
    r"\d visits": ["visitor | bigint ", "page    | text ", "amount  | numeric(9,2) ", "day     | date"],
    r"\d+ visits": ["privacy unit", "domain: IN (home, news, shop, help, jobs)"],
    r"\d kinds": ["timestamp with time zone", "integer[]", "uuid", '"kinds_pkey" PRIMARY KEY, btree (id)'],
    r"\dt+": ["private: unit visitor", "public"],
    r"\l": ["shop | dpduck | UTF8"],
    r"\df": ["dp_gap", "dp_high"],
    r"\dn": ["archive", "public"],
    r"\du": [" psql "],
    r"\dv": ["Did not find any relations."],
    r"\di": ["pages_pkey"],
    r"\dp": ["visits"],
    r"\dT": ["List of data types"],
    r"\conninfo": ['connected to database "shop" as user "psql"'],
    r"\sf dp_low": [],
}


def test_what_there_is(served: Served) -> None:
    before = served.count("psql")
    printed = psql(served, script="".join(f"\\echo ===\n{command}\n" for command in DESCRIBED))
    for (command, expected), screen in zip(DESCRIBED.items(), printed.split("===\n")[1:], strict=True):
        for text in expected:
            assert text in screen, (command, screen)
            assert "ERROR" not in screen, (command, screen)
    assert served.count("psql") == before


def test_statements_and_variables(served: Served) -> None:
    printed = psql(
        served,
        "-At",
        script=(
            "\\set page home\nSELECT title FROM pages WHERE page = :'page';\n"
            "SELECT 1 \\; SELECT 2 \\; SELECT 3;\n"
            "BEGIN;\nSELECT nothing;\nSELECT 1;\nROLLBACK;\n"
            "SET dp_epsilon = 0.5;\nSHOW dp_epsilon;\n\\echo :SERVER_VERSION_NAME\n"
            "PREPARE p AS SELECT 1;\nSELECT 4;\n\\encoding\n"
            "SELECT page, median(age), count(*) FROM visits GROUP BY page \\gdesc\n"
        ),
    )
    lines = printed.splitlines()
    assert lines[:5] == ["Start", "1", "2", "3", "BEGIN"]
    assert "ERROR:  the transaction has failed, and takes no statement until it ends" in lines
    assert "ROLLBACK" in lines
    assert "0.5" in lines
    assert "15.0 (dpduck)" in lines
    assert lines[-3:] == ["page|text", "median|double precision", "count|bigint"]


def test_copy(served: Served) -> None:
    before = served.count("psql")
    script = f"COPY ({TOP}) TO STDOUT;\n\\copy ({TOP}) TO STDOUT CSV HEADER\n"
    lines = psql(served, "-q", script=script, notices=False).splitlines()
    check_counts([line.split("\t") for line in lines[:3]], ["home", "news", "shop"])
    assert lines[3] == "page,n"
    check_counts([line.split(",") for line in lines[4:]], ["home", "news", "shop"])
    assert served.count("psql") == before + 2
    pages = psql(served, "-c", "COPY pages (page, title, weight) TO STDOUT WITH (FORMAT csv, HEADER)")
    assert pages.splitlines() == [
        "page,title,weight",
        "home,Start,1.5",
        "news,What's new,",
        'shop,"Buy ""it""",0.25',
    ]
    assert "private rows cannot be listed" in psql(served, "-c", r"\copy visits TO STDOUT")
    assert "COPY only goes TO STDOUT" in psql(served, "-c", "COPY pages FROM STDIN")


def test_every_type_as_text(served: Served) -> None:
    first, second = psql(served, "-At", "-c", "TABLE kinds ORDER BY id").splitlines()
    assert first == (
        "1|1|-2|9007199254740993|170141183460469231731687303715884105727|4000000000|1234.500|0.5|0.1|"
        'it\'s "so", \\|t|2024-02-29|23:59:58.5|2024-02-29 12:30:00.123456|2024-02-29 12:30:00+00|'
        '12345678-1234-5678-1234-567812345678|1 mon 2 days 03:00:00|\\x00ff6162|{"a": [1, null]}|{1,NULL,3}|'
        '{a,NULL,"it\'s, \\"so\\""}'
    )
    assert second == "2" + "|" * 20


def test_a_wrong_password(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "wrong horse")
    for user in ("psql", "nobody"):
        said = psql(served, "-c", "SELECT 1", user=user)
        assert f"FATAL:  password authentication failed for user '{user}'" in said


# Every list that psql 15 has, by its letters after the backslash.
_LISTS = (
    "d d+ dS dA dA+ dAc dAf dAo dAp da db db+ dc dC dconfig dd dD ddp dE des det deu dew df df+ dF dFd dFp"
    " dFt dg di dl dL dm dn dn+ do dO dp dP dP+ drds dRp dRp+ dRs dRs+ ds dt dt+ dT dT+ du dv dx dX dy"
    " l l+ z lo_list"
)


def test_every_list_of_psql_is_answered(served: Served) -> None:
    script = "".join(f"\\{letters}\n" for letters in _LISTS.split())
    printed = psql(served, script=f"{script}\\d+ archive.*\n\\echo done\n")

    assert "ERROR" not in printed, printed[printed.index("ERROR") :]
    assert printed.endswith("done\n")
    assert "visits" in printed
