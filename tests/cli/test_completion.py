"""The script of `dpduck completion` in a real bash, and python -m dpduck."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@cache
def script(shell: str) -> str:
    command = [sys.executable, "-m", "dpduck", "completion", shell]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def completed(line: str, folder: Path) -> set[str]:
    """What bash offers at the end of a line."""
    words = line.split(" ")
    array = " ".join(f"'{word}'" for word in words)
    typed = f"COMP_WORDS=({array}); COMP_CWORD={len(words) - 1}"
    ask = f"{script('bash')}\n{typed}; _dpduck; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(
        ["bash", "--norc", "-c", ask], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("line", "offered", "not_offered"),
    [
        ("dpduck qu", {"query"}, {"explain"}),
        ("dpduck ", {"query", "serve", "completion"}, {"--help"}),
        ("dpduck query shop.duckdb --eps", {"--epsilon"}, {"--port"}),
        ("dpduck serve --po", {"--port"}, {"--epsilon"}),
        ("dpduck query shop.duckdb --format ma", {"markdown"}, {"box"}),
        ("dpduck analyst a", {"add"}, {"list"}),
        ("dpduck query sh", {"shop.duckdb"}, {"query"}),
    ],
)
def test_bash_offers_what_may_follow(
    tmp_path: Path, line: str, offered: set[str], not_offered: set[str]
) -> None:
    (tmp_path / "shop.duckdb").touch()
    found = completed(line, tmp_path)
    assert offered <= found
    assert not not_offered & found


def test_zsh_reads_the_same_script() -> None:
    assert script("zsh").endswith(script("bash"))
    assert script("zsh").startswith("autoload -U +X bashcompinit")


def test_another_shell_is_bad_usage() -> None:
    command = [sys.executable, "-m", "dpduck", "completion", "fish"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 2
