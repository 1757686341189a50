"""Measure how often a model chooses "he" or "she" correctly, if only earlier sentences show the gender.

    python -m experiments prepare-tvsub --raw D/tvsub --out P --hide-gender \\
        --source-pieces 8000 --target-pieces 6000
    nice -n 19 python -m experiments train --data P --runs R \\
        pronoun-transformer-long,pronoun-camn-long,pronoun-camn-random-long,pronoun-camn-seed-long
    measure_pronouns.py SCORES.npz P D/tvsub R/pronoun-{transformer,camn,camn-random,camn-seed}-long
    measure_pronouns.py engine/experiments/results/pronouns.npz    # from the archived scores

The test set was fixed in advance: sentences of 40 held-out episodes with a 他 or a 她 that the English
renders with the same gender, after another 他 or 她 in the three previous sentences, whose gender is shown.
A case is right if the reference is more probable than the same text with the other gender.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from anaphora_nmt.data.binary_corpus import BinaryCorpus, encode_corpus, pad
from anaphora_nmt.memory.fusion import target_log_probs
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import PAD
from anaphora_nmt.training.loop import TrainingData, encode_sources
from anaphora_nmt.training.runs import DataPaths, LoadedRun, load_run
from anaphora_text.function_words import FUNCTION_WORDS
from experiments.tvsub import PRONOUN_EPISODES, held_out_episodes, hide_gender

HE, SHE = re.compile("他(?!们)"), re.compile("她(?!们)")
HIM = re.compile(r"\b(he|him|his|himself)\b")
HER = re.compile(r"\b(she|her|hers|herself)\b")
OTHER = {"he": "she", "him": "her", "his": "her", "himself": "herself"} | {
    "she": "he", "hers": "his", "herself": "himself"
}  # fmt: skip
_SAMPLES = 1000


@dataclass(frozen=True)
class Case:
    """A sentence with the three previous ones; `other` is its target with the other gender."""

    episode: int
    context: tuple[str, ...]
    source: str
    target: str
    other: str


def swapped(target: str) -> str:
    """A target with the other gender; "her" becomes "his" before a content word, else "him"."""

    def of_her(found: re.Match[str]) -> str:
        return "\0his" if found[1] and found[1] not in FUNCTION_WORDS else "\0him"

    target = re.sub(r"\bher\b(?=(?: ([a-z]+))?)", of_her, target)
    target = re.sub(rf"(?<!\0)\b({'|'.join(OTHER)})\b", lambda found: OTHER[found[0]], target)
    return target.replace("\0", "")


def cases(raw: Path) -> Iterator[Case]:
    for number, episode in enumerate(held_out_episodes(raw / "train.jsonl.xz", PRONOUN_EPISODES)):
        sources = [source for source, _ in episode.pairs]
        for place, (source, target) in enumerate(episode.pairs):
            he, she = bool(HE.search(source)), bool(SHE.search(source))
            if he == she or (bool(HIM.search(target)), bool(HER.search(target))) != (he, she):
                continue
            context = sources[max(0, place - 3) : place]
            if any(bool(HE.search(one)) != bool(SHE.search(one)) for one in context):
                yield Case(number, tuple(context), hide_gender(source), target, swapped(target))


@torch.inference_mode()
def likelihoods(run: LoadedRun, model: TranslationModel, tested: Sequence[Case], other: bool) -> np.ndarray:
    """The log-probability of each case's target, or of its `other` target."""
    pairs = []
    for number, case in enumerate(tested):
        pairs += [(number, source, "") for source in case.context]
        pairs.append((number, case.source, case.other if other else case.target))
    corpus: BinaryCorpus = encode_corpus(pairs, run.source, run.target)
    data, found = TrainingData(corpus), np.zeros(len(tested))
    rows = np.cumsum([len(case.context) + 1 for case in tested]) - 1
    for start in range(0, len(rows), 64):
        some = rows[start : start + 64]
        target = torch.from_numpy(pad(corpus.target, some))
        features = model.force_decode(encode_sources(model, data, some), target)
        scores = target_log_probs(model.decoder.log_probs(features), target) * (target != PAD)
        found[start : start + 64] = scores.sum(1).numpy()
    return found


def shut(model: TranslationModel) -> TranslationModel:
    """The model with a closed gate, which ignores the context."""
    assert model.camn is not None
    other = TranslationModel(replace(model.config, camn=replace(model.camn.config, gate=0.0)))
    other.load_state_dict(model.state_dict(), strict=False)
    return other.eval()


def score(prepared: Path, raw: Path, runs: Sequence[Path]) -> dict[str, np.ndarray]:
    """The cases that each model solves, by its name, with their `episodes`, and whether they are `he`."""
    tested = list(cases(raw))
    solved = {"episodes": np.array([case.episode for case in tested])}
    solved["he"] = np.array([bool(HIM.search(case.target)) for case in tested])
    for folder in runs:
        run = load_run(folder, DataPaths(prepared))
        models = {folder.name: run.model.base}
        if run.model.base.camn is not None:
            models[f"{folder.name}, gate shut"] = shut(run.model.base)
        for name, model in models.items():
            solved[name] = likelihoods(run, model, tested, False) > likelihoods(run, model, tested, True)
    return solved


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scores", type=Path, help="file of scores, which is written if runs are given")
    parser.add_argument("runs", type=Path, nargs="*", help="the prepared data, the raw data, and the runs")
    arguments = parser.parse_args()
    if arguments.runs:
        prepared, raw, *runs = arguments.runs
        np.savez_compressed(arguments.scores, allow_pickle=False, **score(prepared, raw, runs))
    solved = dict(np.load(arguments.scores))
    episodes, is_he = solved.pop("episodes"), solved.pop("he")
    print(f"{len(is_he)} cases of {len(set(episodes.tolist()))} episodes, {is_he.mean():.1%} of them he")
    baseline = next(iter(solved.values())) * 1.0
    for name, right in solved.items():
        shares = f"{right.mean():.1%}; he {right[is_he].mean():.1%}, she {right[~is_he].mean():.1%}"
        print(f"{name}: {shares}; against the first {difference(right - baseline, episodes)}")


def difference(values: np.ndarray, episodes: np.ndarray, form: str = "+.1%") -> str:
    """The mean in a format, with p by a bootstrap over episodes."""
    sums, counts = np.bincount(episodes, values), np.bincount(episodes)
    drawn = np.random.default_rng(1).integers(len(sums), size=(_SAMPLES, len(sums)))
    means = sums[drawn].sum(1) / counts[drawn].sum(1)
    contrary = min(int((means <= 0).sum()), int((means >= 0).sum()))
    p = min(1.0, 2 * (contrary + 1) / (_SAMPLES + 1))
    return f"{values.mean():{form}}, p {'≤ ' if contrary == 0 else ''}{p:.3f}"


if __name__ == "__main__":
    main()
