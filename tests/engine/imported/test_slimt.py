"""Files with a recurrent decoder (SSRU) in 8 bits: our drafts equal those of slimt, which reads such files.

slimt 0.1.0 gives every decoder step the first position, whereas Marian counts up. The model is trained to
give the same result with both, so that everything else is compared. On import, slimt's package downloads
lists of models, and a file that it cannot read ends the process. So only its library is loaded, in a
separate process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from sentencepiece import SentencePieceProcessor
from shortlists import shortlist
from taught_student import save_taught_student

from anaphora_nmt.api import Translator
from anaphora_nmt.types import SearchOptions, SourceSegment

COUNT = 4
SLIMT = """
import importlib.util, json, sys
library, model, vocabulary, shortlist, texts = sys.argv[1:]
spec = importlib.util.spec_from_file_location("_slimt", library)
slimt = importlib.util.module_from_spec(spec)
spec.loader.exec_module(slimt)
config = slimt.Config()
config.encoder_layers = config.decoder_layers = config.feed_forward_depth = 2
config.num_heads = 4
translator = slimt.Model(config, slimt.Package(model, vocabulary, shortlist))
found = slimt.Service(1, 0).translate(translator, json.loads(texts))
print(json.dumps([each.target.text for each in found]))
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slimt") is None, reason="slimt is not made for this machine")
def test_recurrent_model_drafts_like_slimt(tmp_path: Path, source_pieces: bytes, texts: list[str]) -> None:
    texts = texts[:COUNT]
    wanted = [" ".join(text.split()[:2]) for text in (*texts[1:], texts[0])]
    folder = save_taught_student(
        tmp_path / "model", source_pieces, list(zip(texts, wanted, strict=True)), 160
    )

    translator = Translator.load(folder, "cpu", 1)
    translator.open_document("d", [SourceSegment(str(at), text) for at, text in enumerate(texts)])
    plain = SearchOptions(1, memories={"confirmed": False})
    ours = [translator.translate("d", str(at), plain).text for at in range(COUNT)]
    assert ours == wanted, "it was trained to do so"

    spec = find_spec("slimt")
    assert spec is not None and spec.origin is not None
    (library,) = Path(spec.origin).parent.glob("_slimt*.so")
    processor = SentencePieceProcessor()
    processor.LoadFromSerializedProto(source_pieces)
    pieces = processor.GetPieceSize()
    # slimt requires a shortlist; this one contains everything.
    (tmp_path / "lex.bin").write_bytes(shortlist(pieces, [[piece] for piece in range(pieces)]))
    files = (folder / "model.xxyy.intgemm.alphas.bin", folder / "vocab.xxyy.spm", tmp_path / "lex.bin")
    command = [sys.executable, "-c", SLIMT, str(library), *map(str, files), json.dumps(texts)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout.splitlines()[-1]) == ours
