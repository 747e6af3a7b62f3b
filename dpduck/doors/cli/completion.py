"""Completion of the command line in bash and zsh: a script that is made from the parser itself.

It is printed by `dpduck completion bash`, and needs nothing but the shell: the words are in it.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence

SHELLS = ("bash", "zsh")
COMPLETION = """\
Print a script that completes commands, options and their words.

  bash: eval "$(dpduck completion bash)"    in ~/.bashrc
  zsh:  eval "$(dpduck completion zsh)"     in ~/.zshrc
"""

Commands = Mapping[tuple[str, ...], argparse.ArgumentParser]

_BASH = """\
_dpduck() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" command="" second="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${{COMP_WORDS[i]}}" in
      -*) ;;
      *)
        if [ -z "$command" ]; then command="${{COMP_WORDS[i]}}"
        elif [ -z "$second" ]; then second="${{COMP_WORDS[i]}}"
        fi ;;
    esac
  done
  COMPREPLY=()
  case "$command $second $before" in
{choices}
  esac
  if [ -z "$command" ]; then
    COMPREPLY=($(compgen -W {commands} -- "$word"))
    return
  fi
  local words=""
  case "$command $second" in
{options}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word")) ;;
  esac
}}
complete -o filenames -F _dpduck dpduck
"""
_ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


def add_completion(command: argparse.ArgumentParser) -> None:
    """Add the argument of `completion`."""
    command.add_argument("action", metavar="SHELL", choices=SHELLS, help="bash or zsh")


def completion_script(shell: str, commands: Commands) -> str:
    """The script for a shell of `SHELLS`. Input: the parser of each command, by its words."""
    known = sorted(commands.items(), key=lambda one: (-len(one[0]), one[0]))  # "analyst add" before "analyst"
    groups = sorted({path[0] for path in commands if len(path) > 1})
    options = [_case(path, _options(parser)) for path, parser in known]
    options += [_case((group,), [path[1] for path in commands if path[0] == group]) for group in groups]
    script = _BASH.format(
        commands=shlex.quote(" ".join(sorted({path[0] for path in commands}))),
        options="\n".join(options),
        choices="\n".join(line for path, parser in known for line in _choices(path, parser)),
    )
    return _ZSH + script if shell == "zsh" else script


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [option for action in parser._actions for option in action.option_strings]


def _case(path: Sequence[str], words: Sequence[str]) -> str:
    """A case of the words that may follow a command."""
    return f"    {_pattern(path)}) words={shlex.quote(' '.join(sorted(words)))} ;;"


def _choices(path: Sequence[str], parser: argparse.ArgumentParser) -> list[str]:
    """A case for each option that takes one of a few words."""
    lines = []
    for action in parser._actions:
        if action.choices and action.option_strings and not isinstance(action.choices, Mapping):
            words = shlex.quote(" ".join(map(str, action.choices)))
            patterns = "|".join(f"{_pattern(path)}*' {option}'" for option in action.option_strings)
            lines.append(f'    {patterns}) COMPREPLY=($(compgen -W {words} -- "$word")); return ;;')
    return lines


def _pattern(path: Sequence[str]) -> str:
    return f"{shlex.quote(' '.join(path))}*" if len(path) > 1 else f"'{path[0]} '*"
