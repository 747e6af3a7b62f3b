"""What is printed as data has no ±: one line on standard error says how far off its numbers may be."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpduck.doors.cli import main

QUERY = "SELECT page, count(*) AS n, 2 * count(*) AS m FROM visits GROUP BY page"


@pytest.mark.parametrize("form", ["csv", "json", "markdown"])
def test_data_come_with_a_line_of_their_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    file = tmp_path / "visits.csv"
    file.write_text("uid,page\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(200)))
    options = ["--unit", "uid", "--domain", "page=a,b", "--epsilon", "0.5", "--format", form]
    arguments = ["query", str(file), QUERY, *options]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert "±" not in out
    assert "n ± 12, m ± 24 (95 %)" in err
    for told in ("--intervals", "--no-intervals"):
        assert main([*arguments, told]) == 0
        out, err = capsys.readouterr()
        assert ("n_low" in out) is (told == "--intervals")
        assert "(95 %)" not in err
