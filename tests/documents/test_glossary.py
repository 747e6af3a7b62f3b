"""The glossary defines each term once, in order, and none that is not in use."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs" / "GLOSSARY.md"
ENTRY = re.compile(r"^- \*\*(?P<term>[^*]+)\*\*(?: \(earlier: (?P<old>[^)]+)\))?: (?P<meaning>.+)$")
LINES = [line for line in GLOSSARY.read_text(encoding="utf-8").splitlines() if line.startswith("- ")]
ENTRIES = [found for line in LINES if (found := ENTRY.match(line))]
TERMS = [entry["term"] for entry in ENTRIES]


@cache
def used() -> str:
    """The code and the documents, but for the glossary; names in code are words too."""
    files = [*(ROOT / "dpduck").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files if file != GLOSSARY)
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text)
    return re.sub(r"\s+", " ", f"{text} {spaced}").lower()


def is_used(term: str) -> bool:
    """Whether a term is there, in the singular or the plural."""
    return re.search(rf"\b{re.escape(term.lower())}(s|es)?\b", used()) is not None


def test_each_line_is_an_entry() -> None:
    assert len(ENTRIES) == len(LINES) > 80
    assert [entry["term"] for entry in ENTRIES if not entry["meaning"].endswith(".")] == []


def test_terms_are_sorted_and_defined_once() -> None:
    assert sorted({term.lower() for term in TERMS}) == [term.lower() for term in TERMS]


def test_each_bold_term_is_defined() -> None:
    bold = {term for entry in ENTRIES for term in re.findall(r"\*\*([^*]+)\*\*", entry["meaning"])}
    known = {
        *TERMS,
        *(f"{term}s" for term in TERMS),
        *(f"{term[:-1]}ies" for term in TERMS if term[-1] == "y"),
    }
    assert bold - known == set()
    assert len(bold) > 20


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["term"])
def test_each_term_is_used(entry: re.Match[str]) -> None:
    """Under its own name, or still under one of the earlier ones."""
    names = [entry["term"], *(entry["old"] or "").split(", ")]
    assert any(is_used(name) for name in names if name)


def test_an_unknown_word_is_not_used() -> None:
    assert not is_used("quasi-identifier")
    assert is_used("ledger")
