"""How a CSV file is read, as arguments say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dpduck.catalog.csv_format import CsvWords
from dpduck.runtime.arguments import text_of, wrong_kind


def csv_words(
    types: Mapping[str, str] | None,
    formats: Mapping[str, str] | None,
    *,
    null: str | Sequence[str] | None,
    header: bool | None,
    skip: int | None,
    **signs: str | None,
) -> CsvWords:
    """What the arguments say. Errors: ParameterError for what cannot hold of any file."""
    facts: dict[str, object] = {name: text_of(sign, name) for name, sign in signs.items() if sign is not None}
    if null is not None:
        if not isinstance(null, str | list | tuple):
            raise wrong_kind(null, "null", "a text or a list of texts")
        facts["null"] = tuple(text_of(one, "null") for one in ([null] if isinstance(null, str) else null))
    if header is not None:
        if not isinstance(header, bool):
            raise wrong_kind(header, "header", "True or False")
        facts["header"] = header
    if skip is not None:
        if not isinstance(skip, int) or isinstance(skip, bool):
            raise wrong_kind(skip, "skip", "a whole number")
        facts["skip"] = skip
    words = CsvWords(_by_column(types, "types"), _by_column(formats, "formats"), facts)
    words.check()
    return words


def _by_column(said: Mapping[str, str] | None, name: str) -> dict[str, str]:
    """Errors: ParameterError."""
    if said is None:
        return {}
    if not isinstance(said, Mapping):
        raise wrong_kind(said, name, "a dict of columns")
    column, value = f"a column of {name}", f"one of {name}"
    return {text_of(key, column): text_of(one, value) for key, one in said.items()}
