"""A model's folder as Hugging Face offers it: files at a revision, and what its API says of them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

REVISION = "cf109095479db38d6df799875e34039d4938aaa6"
_SMALL = 4096


def publish(files: dict[str, bytes], repository: str, folder: Path, licence: str) -> None:
    """Put a folder's files and the API's answer on a server.

    Args:
        files: the server's, by path.
    """
    siblings: list[dict[str, Any]] = [{"rfilename": ".gitattributes", "size": 10, "blobId": "0" * 40}]
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        files[f"{repository}/resolve/{REVISION}/{path.name}"] = content
        blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
        entry: dict[str, Any] = {"rfilename": path.name, "size": len(content), "blobId": blob}
        if len(content) > _SMALL:
            entry["lfs"] = {
                "sha256": hashlib.sha256(content).hexdigest(),
                "size": len(content),
                "pointerSize": 134,
            }
        siblings.append(entry)
    answer = {
        "id": repository,
        "sha": REVISION,
        "tags": ["transformers", f"license:{licence}"],
        "siblings": siblings,
    }
    files[f"api/models/{repository}"] = json.dumps(answer).encode()
