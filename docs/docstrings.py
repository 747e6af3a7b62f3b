"""How docstrings become Markdown: labelled lines are paragraphs, and doctests are code."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

LABEL = re.compile(r"^(Privacy|Paper|Input|Output|Noise|Scores|Ties|Errors)(?=: )", re.MULTILINE)
INDENTED = re.compile(r"(?<=[^\n])\n[ ]{4}(?=\S)")
DOCTEST = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)


def markdown_of(docstring: str) -> str:
    r"""A docstring as Markdown.

    >>> markdown_of("What.\n\nInput: one,\n    two.\nErrors: none.")
    'What.\n\n**Input**: one,\ntwo.\n\n**Errors**: none.'
    >>> markdown_of(">" * 3 + " 1 + 1\n2")
    '```pycon\n>>> 1 + 1\n2\n```'
    """
    parts, end = [], 0
    for match in DOCTEST.finditer(docstring):
        parts += [_prose(docstring[end : match.start()]), f"```pycon\n{match[0]}\n```"]
        end = match.end()
    return "".join([*parts, _prose(docstring[end:])])


def _prose(text: str) -> str:
    return re.sub(r"(?<!\n)\n(?=\*\*\w+\*\*: )", "\n\n", LABEL.sub(r"**\1**", INDENTED.sub("\n", text)))


class Docstrings(Extension):
    """Rewrites each docstring as it is read."""

    def on_instance(self, *, obj: Object, **kwargs: Any) -> None:  # noqa: ARG002
        if obj.docstring is not None:
            obj.docstring.value = markdown_of(obj.docstring.value)
