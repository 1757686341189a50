"""The two programs' commands and options, read off their parsers: for the manual pages and for shells."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from installers import place

assert place.ROOT  # its tree comes first

from anaphora.command_line.check import _parser as check_parser  # noqa: E402
from anaphora.command_line.translate import _parser as translate_parser  # noqa: E402
from anaphora.main import _window_parser as window_parser  # noqa: E402
from anaphora.model_downloads.command import _parser as models_parser  # noqa: E402
from anaphora_nmt.cli import _COMMANDS as ENGINE  # noqa: E402

Parsers = dict[str, argparse.ArgumentParser]
"""By command, `models get` in two words; "" is the program without a command."""


def programs() -> dict[str, Parsers]:
    engine = {name: argparse.ArgumentParser() for name in ENGINE}
    for name, parser in engine.items():
        ENGINE[name][0].add_arguments(parser)
    app = {"": window_parser(), "translate": translate_parser(), "check": check_parser()}
    models = {f"models {name}": parser for name, parser in _parts(models_parser())}
    return {"anaphora": {**app, **models}, "anaphora-nmt": engine}


def options(parser: argparse.ArgumentParser) -> list[str]:
    """The options of a parser by their long names, or short ones where they have no other."""
    shown = (each for each in parser._actions if each.option_strings and each.help != argparse.SUPPRESS)
    return [max(each.option_strings, key=len) for each in shown]


def manual(program: str) -> str:
    """The sections on options of a program's manual page."""
    lines: list[str] = []
    for command, parser in programs()[program].items():
        lines.append(f'.SH "OPTIONS OF {_roff(command.upper())}"' if command else ".SH OPTIONS")
        for each in parser._actions:
            if each.help == argparse.SUPPRESS:
                continue
            names = ", ".join(rf"\fB{_roff(name)}\fR" for name in each.option_strings)
            value = "" if each.nargs == 0 else _value(each)
            lines += [".TP", f"{names} {value}".strip(), _roff(_help(parser, each))]
    return "\n".join(lines)


def completion() -> str:
    cases: list[str] = []
    for program, parsers in programs().items():
        firsts = dict.fromkeys(name.split()[0] for name in parsers if name)
        words = [*firsts, *options(parsers[""])] if "" in parsers else [*firsts, "--help"]
        cases.append(_case(program, words))
        seconds: dict[str, list[str]] = {}
        for command, parser in parsers.items():
            if command:
                cases.append(_case(f"{program} {command}", options(parser)))
            if " " in command:
                seconds.setdefault(command.split()[0], []).append(command.split()[1])
        cases += [_case(f"{program} {name}", [*words, "--help"]) for name, words in seconds.items()]
    return _COMPLETION.replace("@CASES@", "\n".join(cases))


_COMPLETION = """# Completion for anaphora and anaphora-nmt in bash.
_anaphora() {
    local word=${COMP_WORDS[COMP_CWORD]} known= place
    # The longest beginning of the line that is a command: `anaphora models get`, `anaphora translate`.
    for ((place = COMP_CWORD < 3 ? COMP_CWORD : 3; place > 0 && ! ${#known}; place--)); do
        local line=${COMP_WORDS[*]:1:place-1}
        case "${COMP_WORDS[0]##*/}${line:+ $line}" in
@CASES@
        esac
    done
    mapfile -t COMPREPLY < <(compgen -W "$known" -- "$word"; compgen -f -- "$word")
}
complete -o filenames -F _anaphora anaphora anaphora-nmt
"""


def _case(words: str, known: list[str]) -> str:
    return f'            "{words}") known="{" ".join(known)}" ;;'


def _parts(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for each in parser._actions:
        if isinstance(each, argparse._SubParsersAction):
            yield from each.choices.items()


def _value(action: argparse.Action) -> str:
    if action.choices is not None:
        return " | ".join(rf"\fB{_roff(str(each))}\fR" for each in action.choices)
    name = action.metavar or action.dest.upper()
    more = "..." if action.nargs in ("+", "*") else ""
    return rf"\fI{_roff(str(name))}\fR{more}"


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    text = " ".join((action.help or "").split())
    values = {**vars(action), "prog": parser.prog}
    return re.sub(r"\s+", " ", text % values) if text else ""


def _roff(text: str) -> str:
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
