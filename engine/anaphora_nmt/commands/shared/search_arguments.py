"""How a command searches, as its user says it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from anaphora_nmt.types import SearchOptions


def add_search_arguments(parser: argparse.ArgumentParser) -> None:
    default = SearchOptions()
    parser.add_argument("--beam", type=int, default=default.beam_size)
    parser.add_argument("--length-penalty", type=float, default=default.length_penalty)
    parser.add_argument("--coverage", type=float, default=default.coverage, help="weight of the coverage")
    parser.add_argument(
        "--repetition", type=float, default=default.repetition, help="penalty of words that are doubled"
    )
    parser.add_argument(
        "--float32", action="store_true", help="search in float32 where int8 would be quicker"
    )


def search_options(arguments: argparse.Namespace, memories: Mapping[str, bool]) -> SearchOptions:
    return SearchOptions(
        arguments.beam,
        arguments.length_penalty,
        coverage=arguments.coverage,
        repetition=arguments.repetition,
        memories=memories,
    )
