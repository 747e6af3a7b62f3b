"""Pictures: the same bytes again; the README's gallery, and what is said without matplotlib."""

from pathlib import Path

import pytest

from benchmarks.report import gallery, plots, report
from benchmarks.report.figure import Figure, Line
from benchmarks.report.results import FOLDER

LINES = (
    Line("one", (0.1, 0.2, 0.3), (100.0, 10.0, 1.0), "predicted"),
    Line("one", (0.1, 0.3), (90.0, 1.5), error=(5.0, 0.5)),
    Line("one", (0.2,), (11.0,), "published"),
    Line("another with a label that takes more than a single line", (0.1, 0.3), (200.0, 0.0)),
)
FIGURE = Figure("some-errors", "Errors of two mechanisms", "Less is better.", "epsilon", "error", LINES)


def test_a_figure_is_drawn_twice_with_the_same_bytes(tmp_path: Path) -> None:
    first = plots.draw(FIGURE, tmp_path / "first")
    again = plots.draw(FIGURE, tmp_path / "again")
    assert [path.name for path in (tmp_path / "first").iterdir()] == ["some-errors.svg"]
    assert first.read_bytes() == again.read_bytes()
    svg = first.read_text(encoding="utf-8")
    assert "<svg" in svg
    for words in ("Errors of two mechanisms", "epsilon", "predicted", "2 standard errors", "published"):
        assert words in svg
    assert "<dc:date>" not in svg


@pytest.mark.parametrize(
    "lines",
    [
        (Line("one point", (1.0,), (2.0,)),),
        (Line("all zero", (0.0, 1.0), (0.0, 0.0)),),
        (Line("below zero", (-1.0, 1000.0), (-5.0, 1e6), "predicted"),),
        tuple(Line(f"line {n}", (1.0, 1e6), (1e-7, float(n + 1))) for n in range(10)),
    ],
    ids=lambda lines: lines[0].label,
)
def test_odd_figures_are_drawn(tmp_path: Path, lines: tuple[Line, ...]) -> None:
    path = plots.draw(Figure("odd", "Odd", "Nothing.", "x", "y", lines), tmp_path)
    assert path.stat().st_size > 1_000


def test_every_paper_has_its_section() -> None:
    """Each figure with its sentence and its picture, then the tables and their origin."""
    text = "\n".join(gallery.sections(FOLDER))
    for name, (module, title) in gallery.PAPERS.items():
        records = gallery.records_of(name, FOLDER)
        if not records:
            continue
        assert f"### {title}" in text
        assert f"(results/{gallery.file_of(name)}.jsonl)" in text
        for figure in module.figures(records):
            assert f"**{figure.title}.** {figure.meaning}" in text
            assert figure.meaning.endswith(".")
            assert f"\n\n![{figure.title}](figures/{figure.name}.svg)" in text


def test_figures_have_names_of_their_own() -> None:
    names = [figure.name for figure in gallery.pictures(FOLDER)]
    assert len(names) == len(set(names))


def test_the_folder_holds_the_pictures_of_the_gallery_and_nothing_else() -> None:
    shown = {plots.path_of(figure).name for figure in gallery.pictures(FOLDER)}
    assert {path.name for path in plots.FOLDER.iterdir()} == shown


def test_a_missing_picture_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(report.README.read_text(encoding="utf-8"), encoding="utf-8")
    expected = gallery.missing(FOLDER, tmp_path / "figures")
    assert report.main(FOLDER, check=True, readme=readme) == int(bool(expected))
    said = capsys.readouterr().err
    assert all(f"{path.name} is missing" in said for path in expected)


def test_without_matplotlib_it_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plots, "installed", lambda: False)
    readme = tmp_path / "README.md"
    readme.write_text(f"# Mine\n\n{report.START}\nold", encoding="utf-8")
    assert report.main(tmp_path, readme=readme) == 1
    assert "matplotlib is not installed" in capsys.readouterr().err
    assert "No full-size run is on record." in readme.read_text(encoding="utf-8")
