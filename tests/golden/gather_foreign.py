"""Bring together the foreign files that `foreign/SOURCES.md` lists, for check_foreign.py (not in CI).

Nothing is fetched: CLONES holds clones of the repositories, bare or not, each as `owner+name` or
`owner+name/repo`, and two packages (`pip download --no-deps --no-binary :all: odfpy==1.4.1 pysrt==1.1.2`).
The sample is always the same: of each repository and format those below 400 kB whose Git object ids come
first, each content once; FOLDER must be new. The files that are kept here come with them.

    python tests/golden/gather_foreign.py CLONES FOLDER [--each 60]
"""

from __future__ import annotations

import argparse
import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from anaphora.formats.registry import FORMATS

BYTES = 400_000
FORMAT = {suffix: known.name for known in FORMATS for suffix in known.extensions}
# The files of each repository: its commit, and for each folder the formats; "" are all of them.
REPOSITORIES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "dotnet/Open-XML-SDK": ("cd2b359e", {"test/DocumentFormat.OpenXml.Tests.Assets": "docx xlsx pptx"}),
    "tdf/odftoolkit": ("bfdef6ea3", {"": "odt"}),
    "jgm/pandoc": ("0a9a2f261", {"test": "docx odt pptx html epub xlsx"}),
    "omegat-org/omegat": (
        "ba59a8476",
        {"src/test": "tmx html txt xliff po docx srt odt", "aligner": "txt html", "src/docs": "html"},
    ),
    "w3c/epub-tests": ("ec9085b", {"tests": "packed"}),
    "symfony/validator": ("370b9375", {"": "xliff"}),
    "sy-tools/sy-subtitles": ("cbe60692", {"": "srt"}),
    "translate/translate": ("b48f273fd", {"tests": "xliff po odt"}),
    "tkarabela/pysubs2": ("6caa4da", {"": "ass"}),
    "libass/libass": ("c425f6d", {"": "ass"}),
    "libass/libass-tests": ("9498737", {"": "ass"}),
    "CoffeeStraw/PyonFX": ("c342624", {"": "ass"}),
    "qax-os/excelize": ("8d26cbd", {"test": "xlsx"}),
    "svenfuchs/rails-i18n": ("34be758a2", {"": "yaml"}),
    "soluling/I18N": ("5c9c5f461", {"": "json properties resx", "Samples/Qt": "qt"}),
    "jenkinsci/git-plugin": ("add6e4dc7", {"src": "properties"}),
    "spring-projects/spring-petclinic": ("edf4db28a", {"src": "properties"}),
    "flameshot-org/flameshot": ("5e5c341d", {"data": "qt"}),
    "qbittorrent/qBittorrent": ("0402289ea", {"src/lang": "qt", "src/webui": "qt"}),
    "zextras/carbonio-mails-ui-i18n": ("9bbd24d4e", {"": "json"}),
    "10110111/opencamera": ("b7eea9be6", {"app/src/main/res": "android"}),
    "mozilla/vtt.js": ("42ca104e8", {"tests": "vtt"}),
    "sparkle-project/Sparkle": ("fa4eaa977", {"": "strings"}),
    "apache/commons-csv": ("d9b9f062b", {"src/test": "csv"}),
    "frictionlessdata/frictionless-py": ("44661adf0", {"data": "csv"}),
    "huggingface/course": ("16af56675", {"chapters/zh-CN": "mdx", "chapters/fr": "mdx"}),
    "glut23/webvtt-py": ("2f78325d", {"": "vtt"}),
    "sandflow/ttconv": ("bcf311a1", {"src/test": "vtt"}),
    "mastodon/mastodon-ios": ("a9e088a9", {"": "strings"}),
    "tuskyapp/Tusky": ("43ae0bb4", {"app/src/main/res": "android"}),
    "AntennaPod/AntennaPod": ("b7ee12cc", {"ui/i18n/src/main/res": "android", "": "csv"}),
    "keepassxreboot/keepassxc": ("95bae837", {"share/translations": "qt"}),
    "ShareX/ShareX": ("e9711f20", {"": "resx"}),
    "PowerShell/PowerShell": ("92990369", {"src": "resx", "test": "csv"}),
    "diaspora/diaspora": ("ea6c79a9", {"config/locales": "yaml"}),
    "flutter/gallery": ("cfcb9dbd", {"lib/l10n": "json"}),
    "excalidraw/excalidraw": ("4872083c", {"packages/excalidraw/locales": "json"}),
    "apache/tomcat": ("84ac9af0", {"java": "properties"}),
    "godotengine/godot-demo-projects": ("cae8dc56", {"": "csv"}),
    "Dimillian/IceCubesApp": ("0fc41d2c", {"": "strings"}),
    "okfn/messytables": ("3366a08e", {"": "csv"}),
    "wireservice/csvkit": ("ba8033dc", {"": "csv"}),
    "mafintosh/csv-parser": ("885501eb", {"": "csv"}),
    "Lakr233/Asspp": ("7dce1ad5", {"": "xcstrings"}),
    "Lakr233/FlowDown": ("632e7b9f", {"": "xcstrings"}),
    "tisfeng/Easydict": ("db250b32", {"": "xcstrings"}),
    "CofficLab/GitOK": ("85b8aaac", {"": "xcstrings"}),
    "CofficLab/Lumi": ("3b38e05a", {"": "xcstrings"}),
    "LoopKit/LoopKit": ("2f535b3c", {"": "strings"}),
    "LiveContainer/LiveContainer": ("1a87ea9a", {"": "strings"}),
}
PACKAGES = {"odfpy-1.4.1.tar.gz": "odt", "pysrt-1.1.2.tar.gz": "srt"}


def main() -> int:
    """Write the files and count them by origin; 1 if a source is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", type=int, default=60, help="files of each repository and format at most")
    options = parser.parse_args()
    shutil.copytree(Path(__file__).parent / "foreign", options.folder / "kept")
    missing = 0
    for name, (commit, folders) in REPOSITORIES.items():
        clone = _clone(options.clones, name)
        missing += clone is None
        found = _found(clone, commit, folders, options.each) if clone else {}
        _write(options.folder / name.replace("/", "--"), found)
        print(f"{name}: {_counts(found) or 'missing'}")
    for name, kind in PACKAGES.items():
        archive = options.clones / name
        missing += not archive.exists()
        found = _sample(_packed(archive, kind), options.each) if archive.exists() else {}
        _write(options.folder / name, found)
        print(f"{name}: {_counts(found) or 'missing'}")
    return int(missing > 0)


def _clone(clones: Path, name: str) -> Path | None:
    folder = clones / name.replace("/", "+")
    return next((each for each in (folder / "repo", folder) if each.is_dir()), None)


def _found(clone: Path, commit: str, folders: Mapping[str, str], each: int) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for folder, kinds in folders.items():
        if kinds == "packed":
            found |= _sample(dict(_books(clone, commit, folder)), each)
            continue
        chosen: dict[str, dict[str, str]] = {}
        for path, blob, size in _listed(clone, commit, folder):
            name = FORMAT.get(PurePosixPath(path).suffix.lower(), "")
            if name in kinds.split() and size.isdecimal() and int(size) < BYTES:
                chosen.setdefault(name, {}).setdefault(blob, path)
        for blobs in chosen.values():
            for blob in sorted(blobs)[:each]:
                found[blobs[blob]] = _git(clone, "cat-file", "blob", blob)
    return found


def _books(clone: Path, commit: str, folder: str) -> Iterator[tuple[str, bytes]]:
    """The test books, which are kept unpacked: each folder with a `mimetype` makes an archive."""
    parts: dict[str, dict[str, tuple[str, str]]] = {}
    for path, blob, size in _listed(clone, commit, folder):
        name, _, part = path.removeprefix(f"{folder}/").partition("/")
        parts.setdefault(name, {})[part] = blob, size
    for name, listed in parts.items():
        # A clone may lack very large files, whose size it does not know then.
        sizes = [int(size) if size.isdecimal() else BYTES for _, size in listed.values()]
        if "mimetype" not in listed or sum(sizes) >= BYTES:
            continue
        book = io.BytesIO()
        with zipfile.ZipFile(book, "w") as package:
            for part in sorted(listed, key=lambda part: (part != "mimetype", part)):
                method = zipfile.ZIP_STORED if part == "mimetype" else zipfile.ZIP_DEFLATED
                package.writestr(
                    zipfile.ZipInfo(part), _git(clone, "cat-file", "blob", listed[part][0]), method
                )
        yield f"{name}.epub", book.getvalue()


def _listed(clone: Path, commit: str, folder: str) -> Iterator[tuple[str, str, str]]:
    """Path, object id and size of all files in a folder; "" is the whole."""
    lines = _git(clone, "ls-tree", "-r", "-l", "-z", commit, *([f"{folder}/"] if folder else []))
    for line in filter(None, lines.decode().split("\0")):
        about, _, path = line.partition("\t")
        _mode, kind, blob, size = about.split()
        if kind == "blob":
            yield path, blob, size


def _packed(archive: Path, kind: str) -> dict[str, bytes]:
    with tarfile.open(archive) as files:
        members = [
            each
            for each in files
            if each.isfile()
            and FORMAT.get(PurePosixPath(each.name).suffix.lower()) == kind
            and each.size < BYTES
        ]
        return {each.name: stream.read() for each in members if (stream := files.extractfile(each))}


def _sample(files: Mapping[str, bytes], each: int) -> dict[str, bytes]:
    first = {hashlib.sha256(data).hexdigest(): path for path, data in files.items()}
    return {first[key]: files[first[key]] for key in sorted(first)[:each]}


def _git(clone: Path, *command: str) -> bytes:
    return subprocess.run(["git", "-C", str(clone), *command], capture_output=True, check=True).stdout


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for path, data in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _counts(files: Mapping[str, bytes]) -> str:
    kinds = [FORMAT[PurePosixPath(path).suffix.lower()] for path in files]
    return ", ".join(f"{name} {kinds.count(name)}" for name in sorted(set(kinds)))


if __name__ == "__main__":
    sys.exit(main())
