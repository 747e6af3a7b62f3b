"""Programs in docs/MECHANISMS.md print what stands below them."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs" / "MECHANISMS.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", TEXT, re.DOTALL)


def test_each_program_prints_what_is_shown() -> None:
    assert len(PROGRAMS) == TEXT.count("```python") > 0
    for program, shown in PROGRAMS:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(program, "MECHANISMS.md", "exec"), {})
        assert printed.getvalue() == shown
