"""Update the shipped list of models: python packaging/model_lists.py

Files that have not changed keep their data from the shipped list, because the registry provides less.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from anaphora.features.downloads import mozilla
from anaphora.features.downloads.catalogue import OfferedModel, read_list, to_text
from anaphora.features.downloads.transport import Transport
from anaphora.system.locations import offered_models


def renew_offers(shipped: tuple[OfferedModel, ...], current: tuple[OfferedModel, ...]) -> list[OfferedModel]:
    """The registry's current offers, with the shipped data for files that have not changed."""
    known = {each.address: each for offer in shipped for each in offer.files}
    new = []
    for offer in current:
        pairs = ((each, known.get(each.address, each)) for each in offer.files)
        files = (old if old.unpacked_sha256 == each.unpacked_sha256 else each for each, old in pairs)
        new.append(replace(offer, files=tuple(files)))
    return new


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    path = offered_models()
    path.write_text(to_text(renew_offers(read_list(path), mozilla.offers(Transport().read_json))), "utf-8")
