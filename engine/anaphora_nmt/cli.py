"""`anaphora-nmt`: the engine on the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType

from anaphora_nmt.commands import evaluate, fit_memory, fit_quality, prepare, train, translate
from anaphora_nmt.errors import AnaphoraNmtError

_EXTRAS = {"sacrebleu": "evaluate", "tomotopy": "train", "eflomal": "train"}
"""The extra that installs each optional package."""
_COMMANDS = {
    "prepare": (prepare, "prepare the data for training"),
    "train": (train, "train a model from a configuration file"),
    "fit-memory": (fit_memory, "fit the constants of a model's memories"),
    "fit-quality": (fit_quality, "fit a model's estimate of quality"),
    "translate": (translate, "translate documents"),
    "evaluate": (evaluate, "score a model on a corpus"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand. The exit status is 2 after an expected error, and 130 after an interrupt."""
    return run_command("anaphora-nmt", "Document-level neural machine translation.", _COMMANDS, argv)


def run_command(
    program: str,
    description: str,
    commands: Mapping[str, tuple[ModuleType, str]],
    argv: Sequence[str] | None = None,
) -> int:
    """Run a subcommand, see `main`.

    Args:
        commands: by command name, a module with `add_arguments` and `run`, and a description for the help.
    """
    parser = argparse.ArgumentParser(prog=program, description=description)
    subparsers = parser.add_subparsers(dest="command", required=True)
    for name, (module, text) in commands.items():
        module.add_arguments(subparsers.add_parser(name, help=text))
    arguments = parser.parse_args(argv)
    try:
        return int(commands[arguments.command][0].run(arguments))
    except AnaphoraNmtError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _EXTRAS:
            raise
        extra = _EXTRAS[package]
        print(f"{program}: the package {package} is missing: pip install anaphora[{extra}]", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{program}: stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
