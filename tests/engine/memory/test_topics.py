"""Topics: training on a small corpus, projection, determinism, files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.errors import CorpusError, ModelFileError
from anaphora_nmt.memory.topics import TopicModel
from anaphora_nmt.training.topics import TopicTraining, train_topics

THEMES = (
    (("数据库", "查询", "索引", "事务"), ("Database", "query", "index", "transaction")),
    (("蓝牙", "连接", "设备", "扫描"), ("Bluetooth", "connection", "device", "scan")),
    (("图像", "像素", "滤镜", "图层"), ("image", "pixel", "filter", "layer")),
)
SETTINGS = TopicTraining(topics=3, alpha=0.5, beta=0.1, words=4, iterations=60, min_count=2, max_share=0.9)


def write_corpus(path: Path, documents: int = 30) -> Path:
    generator = np.random.default_rng(0)
    lines = []
    for number in range(documents):
        chinese, english = THEMES[number % 3]
        picks = generator.integers(0, 4, (6, 3))
        segments = [
            [
                "，".join(chinese[pick] for pick in row) + "。",
                "The " + " and ".join(english[pick] for pick in row),
            ]
            for row in picks
        ]
        lines.append(json.dumps({"doc": f"d{number}", "segments": segments}, ensure_ascii=False))
    path.write_text("\n".join(lines), "utf-8")
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TopicModel:
    return train_topics([write_corpus(tmp_path_factory.mktemp("corpus") / "c.jsonl")], SETTINGS)


def test_a_source_document_has_the_words_of_its_theme(model: TopicModel) -> None:
    numbers = set()
    for chinese, english in THEMES:
        topic = model.infer(["我们使用" + "和".join(chinese), "这个" + chinese[0]])
        assert topic is not None
        assert {word for word, _ in topic.words} == set(english)
        weights = [weight for _, weight in topic.words]
        assert weights == sorted(weights, reverse=True) and sum(weights) <= 1.0
        assert topic.label == ", ".join(word for word, _ in topic.words[:3])
        assert topic == model.infer_target([" ".join(english)])
        numbers.add(topic.number)
    assert len(numbers) == 3


def test_the_same_text_has_the_same_topic_after_saving(model: TopicModel, tmp_path: Path) -> None:
    model.save(tmp_path / "t.npz")
    again = TopicModel.load(tmp_path / "t.npz")
    text = ["数据库的索引和设备", "扫描图像"]
    first, second = model.infer(text), again.infer(text)
    assert first is not None and second is not None
    assert [word for word, _ in first.words] == [word for word, _ in second.words]
    assert first.number == second.number and first.label == second.label
    np.testing.assert_array_equal(model.projection, again.projection)


@pytest.mark.parametrize("damage", ["missing", "text", "cut", "other", "format"])
def test_an_unreadable_file_is_a_model_file_error(model: TopicModel, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "t.npz"
    model.save(path)
    whole = path.read_bytes()
    if damage == "missing":
        path.unlink()
    elif damage == "text":
        path.write_text("no model")
    elif damage == "cut":
        path.write_bytes(whole[: len(whole) // 2])
    elif damage == "other":
        np.savez(path, numbers=np.zeros(3))
    else:
        np.savez(path, about=np.frombuffer(b'{"format": 99}', np.uint8), projection=np.zeros(3))
    with pytest.raises(ModelFileError, match="Install the model again"):
        TopicModel.load(path)


@pytest.mark.parametrize("name", ["about", "projection"])
def test_no_pickled_code_runs(model: TopicModel, tmp_path: Path, name: str) -> None:
    path, trace = tmp_path / "t.npz", tmp_path / "ran"

    class Intruder:
        def __reduce__(self) -> tuple:
            return os.mkdir, (str(trace),)

    model.save(path)
    with np.load(path) as file:
        arrays = dict(file)
    arrays[name] = np.array([Intruder()], object)
    np.savez_compressed(path, allow_pickle=True, **arrays)
    with pytest.raises(ModelFileError, match=r"The topic model .* cannot be read"):
        TopicModel.load(path)
    assert not trace.exists()


def test_a_corpus_without_documents_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError):
        train_topics([write_corpus(tmp_path / "c.jsonl", 0)], SETTINGS)
