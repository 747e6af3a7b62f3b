"""Hints in the words of the command line: SET and ALTER TABLE as the options that mean the same."""

from __future__ import annotations

import re

# What does not outlast a command, and so is an option of it.
_SETTINGS = (
    (re.compile(r", SET dp_epsilon = [0-9.e-]+, SET dp_delta = [0-9.e-]+,"), ","),
    (re.compile(r"SET dp_epsilon = ([0-9.e-]*[0-9])"), r"--epsilon \1"),
    (re.compile(r"SET dp_replay = off"), "--fresh"),
    (re.compile(r"SET dp_delta = ([0-9.e-]*[0-9])"), r"--delta \1"),
)
_NAME = r'(?:[A-Za-z_][A-Za-z0-9_]*|"(?:[^"]|"")*")'
_DOMAIN = re.compile(
    rf"ALTER TABLE {_NAME} ALTER COLUMN ({_NAME}) SET PRIVACY DOMAIN (IN|BETWEEN) \(([^)]*)\)"
)
_UNIT = re.compile(
    rf"(?:The owner can run )?ALTER TABLE {_NAME} ADD PRIVACY_KEY \({_NAME}\)"
    rf"(?:, or ALTER TABLE {_NAME} SET PUBLIC)?"
)


def as_options(hint: str, *, is_database: bool) -> str:
    """The hint, or notice, for somebody who types a command.

    Input: `is_database`: whether the file stores policies, so that ALTER TABLE is right as it is.

    >>> as_options("SET dp_delta = 1e-6.", is_database=True)
    'Add --delta 1e-6.'
    >>> as_options("ALTER TABLE t ALTER COLUMN sex SET PRIVACY DOMAIN IN ('f', 'm').", is_database=False)
    'Add --domain sex=f,m.'
    """
    told = hint
    for pattern, option in _SETTINGS:
        told = pattern.sub(option, told)
    if not is_database:
        told = _policies_as_options(told)
    return f"Add {told}" if told.startswith("--") else told


def policies_as_options(hint: str) -> str:
    """The hint for somebody who typed a command once, and is asking one thing after another since.

    >>> policies_as_options("ALTER TABLE t ADD PRIVACY_KEY (c), or SET dp_delta = 1e-6.")
    'Start again with --unit COLUMN, or SET dp_delta = 1e-6.'
    """
    told = _policies_as_options(hint)
    return f"Start again with {told}" if told.startswith("--") else told


def _policies_as_options(hint: str) -> str:
    return _UNIT.sub("--unit COLUMN", _DOMAIN.sub(_domain_option, hint))


def _domain_option(found: re.Match[str]) -> str:
    column, form, values = found.groups()
    separator = ".." if form == "BETWEEN" else ","
    plain = separator.join(value.strip().strip("'") for value in values.split(","))
    option = f"{column.strip(chr(34))}={plain}"
    return f'--domain "{option}"' if " " in option else f"--domain {option}"
