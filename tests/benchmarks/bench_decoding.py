"""Words per second with the continuous cache against without, beam 10, in one run (Tu et al., 2018, Table 5).

    python tests/benchmarks/bench_decoding.py [--model FOLDER] [--rounds 4] [--batch 24]

The paper's numbers: 21.1 words a second with the cache and 21.1 without, a ratio of 1.00.
Both settings decode the same sentences in turn, each for the same number of steps, and their processor times
are compared, so that a busy machine slows both. Measured on two busy cores, one thread, the embedded model
(two decoder layers: the gate is a twentieth of what a step multiplies), bfloat16 for the gate
(`gate_precision`):

| sentences together | ratio | median of the sentences |
|---:|---:|---:|
| 1 | 0.933, 0.936 | 0.933, 0.939 |
| 8 | 0.962, 0.946 | 0.952, 0.953 |
| 24, as the experiments decode | 0.958, 0.976 | 0.974, 0.983 |

(Two runs each.) RNNSearch (`--run RUNS/cache-rnnsearch`), 24 together, whose cache reads through the
annotations, in runs of so many `--rounds`:

| processor | ratio (rounds) | medians |
|---|---|---|
| AVX512-BF16, quiet | 0.973 (16), 1.027 (16), 1.028 (4), 0.988 (4), 0.946 (4) | 0.974 to 1.061 |
| AVX2, single precision, busy | 0.969 (6), 0.998 (6), 0.985 (16), 0.958 (16) | 0.964, 0.953, 0.999, 0.967 |

The embedded model: 0.992 (8; median 0.972) on the first, 0.944 and 0.955 on the second.
One sentence alone computes little for each weight that it fetches, so there the cache costs
what its weights and its dozen operations weigh. What is written to the cache, a forced pass over each
finished translation, is not part of it.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from endless import Endless

from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.memory.cache_contents import CacheContents
from anaphora_nmt.memory.contents import DocumentInfo, MemorySnapshot
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.search.beam import BeamOptions, beam_search
from anaphora_nmt.text.vocabulary import BOS, EOS, Vocabulary
from anaphora_nmt.training.runs import DataPaths, load_run

TEXT = (
    (
        "打开文件之后，程序会读取配置并连接服务器。",
        "After opening the file, the program reads the configuration.",
    ),
    ("服务器把数据发送给客户端，客户端再写入数据库。", "The server sends the data to the client."),
    (
        "如果连接失败，请检查网络设置，然后重新启动程序。",
        "If the connection fails, check the network settings.",
    ),
    ("模型的参数保存在目录中，每个文件对应一个变量。", "The model's parameters are saved in a folder."),
    ("您可以使用命令行选项更改默认的输出格式。", "You can change the default output format with an option."),
    ("该函数返回一个列表，其中包含所有匹配的元素。", "The function returns a list of all matching elements."),
)
STEPS = 24


class Subject:
    """A model that decodes sentences with and without its cache, for a fixed number of steps."""

    def __init__(
        self, model: MemoryAugmentedModel, pieces: tuple[Vocabulary, Vocabulary], batch: int, beam: int
    ) -> None:
        self.model = model.eval()
        self.beam = BeamOptions(beam)
        source, target = pieces
        self.sources = [[BOS, *source.encode(text), EOS] for text, _ in TEXT]
        targets = [[*target.encode(text), EOS] for _, text in TEXT]
        self.batch = batch
        self.snapshot = self._filled(targets)

    @classmethod
    def of_bundle(cls, folder: Path, batch: int, beam: int, size: int | None) -> Subject:
        """A model folder, with its continuous cache only."""
        bundle = load_bundle(folder)
        cache = bundle.memory.get("continuous_cache")
        if cache is None:
            raise SystemExit(f"{folder} has no continuous cache")
        if size is not None:
            cache = replace(cache, size=size)
        config = MemoryConfig({"continuous_cache": cache})
        model = MemoryAugmentedModel(bundle.model, config, WordVocabulary(bundle.target))
        tensors = {n: t for n, t in bundle.memory_tensors.items() if n.startswith("continuous.")}
        model.load_memory_state(tensors)
        return cls(model, (bundle.source, bundle.target), batch, beam)

    @classmethod
    def of_run(cls, folder: Path, batch: int, beam: int) -> Subject:
        """The run of an experiment, such as `cache-rnnsearch`."""
        run = load_run(folder, DataPaths.load(folder.parent))
        if "continuous_cache" not in run.model.config:
            raise SystemExit(f"{folder} has no continuous cache")
        return cls(run.model, (run.source, run.target), batch, beam)

    def encoded(self, number: int) -> Encoded:
        """A sentence, `batch` times."""
        return self.model.encode(torch.tensor([self.sources[number % len(TEXT)]] * self.batch))

    @torch.inference_mode()
    def _filled(self, targets: list[list[int]]) -> MemorySnapshot:
        """A full cache: the history of a document in its middle."""
        snapshot = self.model.config.empty(DocumentInfo(self.model.vocabulary))
        for number in range(12):
            ids = targets[number % len(targets)]
            encoded = self.model.encode(torch.tensor([self.sources[number % len(TEXT)]]))
            given = self.model.contributions(encoded, torch.tensor([ids]))[0]
            snapshot = snapshot.after(given, number)
        return snapshot

    @torch.inference_mode()
    def seconds(self, number: int, use: frozenset[str]) -> float:
        """Processor time of decoding a sentence, its encoding and the gathering of its memory included."""
        started = time.process_time()
        encoded = self.encoded(number)
        state = self.model.start(encoded, [self.snapshot] * self.batch, use)
        beam_search(Endless(self.model), state, [STEPS] * self.batch, self.beam)
        return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path)
    parser.add_argument("--run", type=Path, help="run of an experiment, in place of a model folder")
    parser.add_argument("--rounds", type=int, default=4, help="batches decoded with each setting")
    parser.add_argument("--batch", type=int, default=24, help="sentences decoded together")
    parser.add_argument("--beam", type=int, default=10)
    parser.add_argument("--size", type=int, help="slots, in place of the model's")
    parser.add_argument("--profile", action="store_true", help="print where the time with the cache goes")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if arguments.run is not None:
        subject = Subject.of_run(arguments.run, arguments.batch, arguments.beam)
    else:
        folder = arguments.model or embedded_model()
        subject = Subject.of_bundle(folder, arguments.batch, arguments.beam, arguments.size)
    off: frozenset[str] = frozenset()
    on = frozenset({"continuous_cache"})
    for use in (off, on):
        subject.seconds(0, use)
    if arguments.profile:
        with torch.profiler.profile() as profile:
            subject.seconds(0, on)
        print(profile.key_averages().table(sort_by="self_cpu_time_total", row_limit=25))
    pairs = []
    for number in range(arguments.rounds):
        first, second = (off, on) if number % 2 == 0 else (on, off)
        times = {first: subject.seconds(number, first)}
        times[second] = subject.seconds(number, second)
        pairs.append((times[off], times[on]))
    ratios = [without / with_cache for without, with_cache in pairs]
    steps = STEPS * arguments.batch * arguments.rounds
    without, with_cache = np.array(pairs).sum(0)
    cache = subject.snapshot.contents["continuous_cache"]
    assert isinstance(cache, CacheContents)
    slots = len(cache)
    print(f"beam {arguments.beam}, {arguments.batch} sentences together, {slots} slots, {STEPS} pieces each")
    print(f"without the cache: {steps / without:.1f} pieces/s; with it: {steps / with_cache:.1f}")
    print(f"ratio: {without / with_cache:.3f} (median of the sentences {statistics.median(ratios):.3f})")


if __name__ == "__main__":
    main()
