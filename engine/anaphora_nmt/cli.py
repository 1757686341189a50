"""`anaphora-nmt`: the engine on the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from anaphora_nmt.commands import (
    confirmation,
    evaluate,
    experiment,
    measure,
    prepare,
    remember,
    report,
    train,
    translate,
    tvsub,
)
from anaphora_nmt.errors import AnaphoraNmtError

_COMMANDS = {
    "prepare": (prepare, "make everything that training reads"),
    "prepare-tvsub": (tvsub, "make what training on TVSub reads, and its test set"),
    "train": (train, "train a base model"),
    "train-memories": (remember, "train the document memories and write a model folder"),
    "translate": (translate, "translate documents"),
    "experiment": (experiment, "train and translate with a system of the results, and its baseline"),
    "measure": (measure, "measure runs: alignment error, consistency, coherence and the rest"),
    "report": (report, "one results page, with figures, from the runs"),
    "evaluate": (evaluate, "score a model on a corpus"),
    "confirmation-curve": (confirmation, "what confirming the first segments gains for the rest"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; expected errors become one line on standard error and exit status 2."""
    parser = argparse.ArgumentParser(
        prog="anaphora-nmt", description="Document-level neural machine translation."
    )
    subparsers = parser.add_subparsers(dest="command", required=True)
    for name, (module, description) in _COMMANDS.items():
        module.add_arguments(
            subparsers.add_parser(
                name, help=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter
            )
        )
    arguments = parser.parse_args(argv)
    try:
        return _COMMANDS[arguments.command][0].run(arguments)
    except AnaphoraNmtError as error:
        print(f"anaphora-nmt: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("anaphora-nmt: stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
