"""Settings from the environment and from a file, for the options that the command line leaves out.

The parser of the command line is the one table of options: `--tls-cert F` is `tls-cert = "F"` in TOML and
DPDUCK_TLS_CERT=F in the environment, is read by the same function, and fails with the same words. A flag wins
over the environment, which wins over the file; there, what stands in the table of a command, such as [serve],
wins over what stands above all tables.

A file is read only if it is named, with --config or DPDUCK_CONFIG: one that lies about in a folder must not
decide what is charged to which ledger (docs/decisions/0057).
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from dpduck.doors.cli.csv_arguments import CSV_WORDS
from dpduck.engines.duckdb.path import DataPath
from dpduck.kernel.errors import DpduckError, ParameterError

PREFIX = "DPDUCK_"
FILE = "file"
USUAL_NAME = "dpduck.toml"

# What a command is to do now, or for whom: nothing that could be set beforehand.
DEEDS = frozenset(
    {"help", "version", "config", "fresh", "verify", "show_policies", "export", "html", "details", "why"}
    | {"queries"}
    | {"password_stdin", "password_file", "backup", "restore", "upgrade", "move", "force", "since", "limit"}
    | {f"csv_{name}" for name in CSV_WORDS}  # they are recorded for one file, in the script beside it
    | {"role", "no_password", "grace", "wanted", "error", "script", "public"}
)
_LIKE = 0.75  # how near a variable must be to a setting to be taken for a misspelling of it
_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")

_Path = tuple[str, ...]  # the words of a command, such as ("analyst", "add")


@dataclass(frozen=True)
class Setting:
    """One setting as it was written. `source`: where, for messages; `folder`: from which paths start."""

    value: object
    source: str
    folder: Path | None = None


@dataclass(frozen=True)
class Configuration:
    """What a command line leaves to the environment and the file.

    `words`: the command line, with FILE if it was left out; `values`: by the name of the option's field;
    `sources`: likewise, where each was set.
    """

    words: Sequence[str]
    values: Mapping[str, Any]
    sources: Mapping[str, str]


def read_configuration(
    parser: argparse.ArgumentParser, words: Sequence[str], environment: Mapping[str, str]
) -> Configuration:
    """Read the settings of a command. Nothing but the file of settings is opened.

    Errors: ParameterError for a file that cannot be read, a name that is no setting, or a bad value.
    """
    commands = commands_of(parser)
    path = next((tuple(words[:size]) for size in (2, 1) if tuple(words[:size]) in commands), None)
    if path is None or not _has_config(commands[path]):
        return Configuration(words, {}, {})
    command, given = commands[path], words[len(path) :]
    place = _option(given, "--config") or environment.get(f"{PREFIX}CONFIG") or None
    found = {
        **({} if place is None else _from_file(Path(place), path[0], commands)),
        **_from_environment(environment, commands),
    }
    options = {name_of(action): action for action in command._actions if is_setting(action)}
    values, sources = {}, {}
    for name, action in options.items():
        if name in found:
            values[action.dest] = _value(action, found[name])
            sources[action.dest] = found[name].source
    if FILE in found and _lacks_file(command, given):
        given = [_text(found[FILE], places=True), *given]
        sources[FILE] = found[FILE].source
    return Configuration([*path, *given], values, sources)


def commands_of(parser: argparse.ArgumentParser) -> dict[_Path, argparse.ArgumentParser]:
    """The parsers of all commands, by their words; of `analyst` those of its actions."""
    found: dict[_Path, argparse.ArgumentParser] = {}
    rest: list[tuple[_Path, argparse.ArgumentParser]] = [((), parser)]
    while rest:
        path, one = rest.pop()
        below = [action for action in one._actions if isinstance(action, argparse._SubParsersAction)]
        if not below:
            found[path] = one
        for action in below:
            rest += [((*path, word), command) for word, command in action.choices.items()]
    return found


def is_setting(action: argparse.Action) -> bool:
    """Whether an option can be set beforehand."""
    return bool(action.option_strings) and action.dest not in DEEDS


def name_of(action: argparse.Action) -> str:
    """The name of an option as a key: its flag without the dashes."""
    return action.option_strings[0].removeprefix("--")


def variable_of(name: str) -> str:
    """The variable of a setting.

    >>> variable_of("tls-cert")
    'DPDUCK_TLS_CERT'
    """
    return PREFIX + name.upper().replace("-", "_")


# --- where settings are written ------------------------------------------------------------------


def _from_file(
    place: Path, word: str, commands: Mapping[_Path, argparse.ArgumentParser]
) -> dict[str, Setting]:
    """The settings of a file for one command. Every key of the file is checked, for whichever command."""
    everywhere = _names(commands)
    of_command = {
        first: _names({path: one for path, one in commands.items() if path[0] == first})
        for first in dict.fromkeys(path[0] for path in commands)
    }
    found: dict[str, Setting] = {}
    own: dict[str, Setting] = {}
    for key, value in _parsed(place).items():
        if not isinstance(value, dict):
            _check_name(key, everywhere, f"{place}: {key}", everywhere)
            found[key] = Setting(value, f"{place}: {key}", place.parent)
            continue
        _check_name(key, list(of_command), f"{place}: [{key}]", of_command)
        for name, inner in value.items():
            source = f"{place}: {key}.{name}"
            _check_name(name, of_command[key], source, of_command[key], everywhere)
            if key == word:
                own[name] = Setting(inner, source, place.parent)
    return {**found, **own}


def _parsed(place: Path) -> dict[str, Any]:
    try:
        with place.open("rb") as file:
            return tomllib.load(file, parse_float=str)  # an epsilon of 0.1 is the text 0.1, and exact
    except OSError as error:
        reason = f"The system says: {(error.strerror or str(error)).lower()}."
    except tomllib.TOMLDecodeError as error:
        reason = f"It is not TOML: {error}."
    except UnicodeDecodeError:
        reason = "It is not UTF-8."
    raise ParameterError(
        f"the settings in {place} cannot be read",
        detail=reason,
        hint='A setting is a line such as epsilon = 0.5 or ledger = "shop.ledger".',
    )


def _from_environment(
    environment: Mapping[str, str], commands: Mapping[_Path, argparse.ArgumentParser]
) -> dict[str, Setting]:
    """The settings of the environment.

    Errors: ParameterError for a variable that is like a setting and none, which can only be meant as one.
    """
    known = {variable_of(name): name for name in _names(commands)}
    for variable in strangers(environment, commands):
        near = _near_variable(variable, known)
        if near is not None:
            raise ParameterError(
                f"{variable} is not a setting",
                detail=f"Did you mean {near}?",
                hint="Variables that Kubernetes sets for a service of this name are not made with "
                "enableServiceLinks: false."
                if any(part.isdigit() for part in variable.split("_"))
                else f"Rename it, or unset {variable}.",
            )
    return {
        name: Setting(environment[variable], variable)
        for variable, name in known.items()
        if environment.get(variable)
    }


def strangers(environment: Mapping[str, str], commands: Mapping[_Path, argparse.ArgumentParser]) -> list[str]:
    """The variables that begin like settings and are none."""
    known = {variable_of(name) for name in (*_names(commands), "config")}
    return [variable for variable in environment if variable.startswith(PREFIX) and variable not in known]


def _near_variable(variable: str, known: Mapping[str, str]) -> str | None:
    """The setting that a variable must be meant as; None if it is something else."""
    longer = [one for one in known if variable.startswith(one)]
    bare = {one.removeprefix(PREFIX): one for one in known}
    near = get_close_matches(variable.removeprefix(PREFIX), bare, 1, _LIKE)
    return bare[near[0]] if near else max(longer, key=len, default=None)


def _names(commands: Mapping[_Path, argparse.ArgumentParser]) -> list[str]:
    """The names of all settings of some commands, FILE among them."""
    found = [name_of(a) for one in commands.values() for a in one._actions if is_setting(a)]
    return list(dict.fromkeys([FILE, *found]))


def _check_name(
    name: str, like: Sequence[str], source: str, known: Container[str], others: Container[str] = ()
) -> None:
    """Errors: ParameterError unless the name is known. Input: `others`: names of other commands."""
    if name in known:
        return
    near = [] if name in others else get_close_matches(name.replace("_", "-").lower(), like, 1)
    if name.replace("-", "_") in DEEDS:
        detail = "It says what to do, so it stands on the command line."
    else:
        detail = f"Did you mean {near[0]}?" if near else "No option there has that name."
    raise ParameterError(f"{source} is not a setting", detail=detail)


# --- their values --------------------------------------------------------------------------------


def _value(action: argparse.Action, setting: Setting) -> object:
    """The value of a setting, read as its option would be. Errors: ParameterError."""
    if action.nargs == 0:
        return _switch(setting)
    if isinstance(action, argparse._AppendAction):
        return [_read(action, setting, text) for text in _texts(setting)]
    return _read(action, setting, _text(setting, places=_is_place(action)))


def _read(action: argparse.Action, setting: Setting, text: str) -> object:
    if action.choices is not None and text not in action.choices:
        raise ParameterError(
            f"{setting.source}: {text[:60]!r} is not a value", detail=f"It is {' or '.join(action.choices)}."
        )
    if not callable(action.type):
        return text
    try:
        return action.type(text)
    except argparse.ArgumentTypeError as error:
        fault = error.__cause__
    assert isinstance(fault, DpduckError)
    hint = (
        "Kubernetes sets it for a service of this name: say enableServiceLinks: false."
        if text.startswith("tcp://")
        else fault.advice
    )
    raise ParameterError(f"{setting.source}: {fault.message}", detail=fault.reason, hint=hint)


def _switch(setting: Setting) -> bool:
    given = setting.value
    text = str(given).lower()
    if given is True or (isinstance(given, str) and text in _YES):
        return True
    if given is False or (isinstance(given, str) and text in _NO):
        return False
    raise ParameterError(
        f"{setting.source}: {str(given)[:60]!r} is neither true nor false",
        hint="Write true or false, in the environment also 1 or 0.",
    )


def _texts(setting: Setting) -> list[str]:
    """The values of an option that may be given several times: a list, or the lines of a variable."""
    if isinstance(setting.value, list):
        return [_text(Setting(one, setting.source)) for one in setting.value]
    return [line for line in _text(setting).splitlines() if line.strip()]


def _text(setting: Setting, *, places: bool = False) -> str:
    given = setting.value
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise ParameterError(
            f"{setting.source} is not a value",
            detail="It is a number or a text in quotes.",
        )
    text = str(given)
    if places and setting.folder is not None and "://" not in text:
        return str(setting.folder / text)
    return text


def _is_place(action: argparse.Action) -> bool:
    """Whether an option is a path, which in a file of settings starts from the folder of that file."""
    return action.type in (Path, DataPath) or action.dest in ("ledger", "anchor", "oidc_jwks")


# --- the command line ----------------------------------------------------------------------------


def _has_config(command: argparse.ArgumentParser) -> bool:
    return "--config" in command._option_string_actions


def _option(words: Sequence[str], flag: str) -> str | None:
    """The value of an option on a command line, the last one if it is given twice."""
    found = None
    for place, word in enumerate(words):
        if word == flag and place + 1 < len(words):
            found = words[place + 1]
        elif word.startswith(f"{flag}="):
            found = word.partition("=")[2]
    return found


def _lacks_file(command: argparse.ArgumentParser, words: Sequence[str]) -> bool:
    """Whether a command line has one positional argument too few, of which FILE is the first."""
    wanted = [action for action in command._actions if not action.option_strings]
    if not wanted or wanted[0].dest != FILE:
        return False
    rest, found = iter(words), 0
    for word in rest:
        if word == "--":
            found += len(list(rest))
        elif not word.startswith("-") or word == "-":
            found += 1
        elif (action := command._option_string_actions.get(word)) is not None and action.nargs != 0:
            next(rest, None)
    return found == len(wanted) - 1
