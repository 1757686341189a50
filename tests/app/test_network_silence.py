"""Never a network connection: a whole session of work on documents that ask for one, watched from outside."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import docx
import pytest

SESSION = Path(__file__).parent / "support" / "silent_session.py"
FAR = "http://192.0.2.7/x"
"""An address that belongs to no one (RFC 5737); no name has to be resolved for it."""
HTML = f"""<!DOCTYPE html PUBLIC "x" "{FAR}.dtd"><html><head><meta charset="utf-8"><base href="{FAR}">
<link rel="stylesheet" href="{FAR}.css"><script src="{FAR}.js"></script><meta http-equiv="refresh"
content="0;url={FAR}"></head><body><p>图片<img src="{FAR}.png" alt="图">在这里。</p><svg><image
href="{FAR}.svg"/><text>图中文字</text></svg><iframe src="{FAR}"></iframe></body></html>"""
DOCTYPE = f'<!DOCTYPE {{}} PUBLIC "-//X//DTD X//EN" "{FAR}.dtd">'
TMX = (
    f'<?xml version="1.0"?>{DOCTYPE.format("tmx")}<tmx version="1.4"><header srclang="zh"/><body><tu>'
    '<tuv xml:lang="zh"><seg>我们需要更新缓存。</seg></tuv></tu></body></tmx>'
)
XLIFF = f"""<?xml version="1.0"?>
<?xml-stylesheet href="{FAR}.xsl" type="text/xsl"?><xliff version="1.2"><file original="{FAR}"
source-language="zh" target-language="en" datatype="x"><header><reference><external-file href="{FAR}"/>
</reference></header><body><trans-unit id="1"><source>账本保存交易。</source></trans-unit></body></file>
</xliff>"""
MARKDOWN = f"# 标题\n\n![图]({FAR}.png) 缓存<img src='{FAR}'>很快。\n"
RELATION = (
    '<Relationship Id="rId{0}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{1}"'
    ' Target="{2}" TargetMode="External"/>'
)


def word_document() -> bytes:
    """A document with a linked template, a linked picture and a link."""
    document = docx.Document()
    document.add_paragraph("节点读取账本。")
    out = io.BytesIO()
    document.save(out)
    relations = "".join(
        RELATION.format(900 + number, kind, FAR)
        for number, kind in enumerate(("attachedTemplate", "image", "hyperlink", "oleObject", "frame"))
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(out) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "word/_rels/document.xml.rels":
                content = content.replace(b"</Relationships>", f"{relations}</Relationships>".encode())
            new.writestr(name, content)
    return packed.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Documents of several formats that name things elsewhere."""
    root = tmp_path / "documents"
    root.mkdir()
    (root / "page.html").write_text(HTML, "utf-8")
    (root / "units.xlf").write_text(XLIFF, "utf-8")
    (root / "refused.xlf").write_text(XLIFF.replace("?>", "?>" + DOCTYPE.format("xliff"), 1), "utf-8")
    (root / "memory.tmx").write_text(TMX, "utf-8")
    (root / "text.md").write_text(MARKDOWN, "utf-8")
    (root / "word.docx").write_bytes(word_document())
    return root


def watched(log: Path) -> list[str]:
    """How to run a program with its use of the network noted, where strace may do that; else nothing."""
    tool = shutil.which("strace")
    command = [tool or "", "-f", "--seccomp-bpf", "-qq", "-e", "trace=%network", "-o", str(log)]
    if tool is None or subprocess.run([*command, "true"], capture_output=True, check=False).returncode:
        return []
    return command


@pytest.mark.slow
def test_a_session_of_work_never_touches_the_network(folder: Path, tmp_path: Path) -> None:
    log, out = tmp_path / "calls.log", tmp_path / "out"
    out.mkdir()
    tracing = watched(log)
    done = subprocess.run(
        [*tracing, sys.executable, str(SESSION), str(folder), str(out)],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        env=os.environ | {"ANAPHORA_DATA": str(tmp_path / "data"), "QT_QPA_PLATFORM": "offscreen"},
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["seen"] == []
    clicked = json.dumps(result["clicked"])
    assert "storage.googleapis.com" in clicked, "only the click asks for an address"
    assert result["written"] == ["memory.tmx", "page.html", "text.md", "units.xlf", "word.docx"]
    assert len(result["drafts"]) >= 5 and all(result["drafts"])
    if tracing:
        calls = log.read_text("utf-8", "replace")
        assert not re.findall(r".*AF_INET6?\b.*", calls), "seen by the kernel, not by Python"


def test_the_watch_sees_what_it_should(tmp_path: Path) -> None:
    tracing = watched(tmp_path / "calls.log")
    if not tracing:
        pytest.skip("strace is not there, or may not trace")
    program = "import socket; socket.socket(socket.AF_INET).connect_ex(('127.0.0.1', 9))"
    subprocess.run([*tracing, sys.executable, "-c", program], check=True)
    assert "AF_INET" in (tmp_path / "calls.log").read_text("utf-8")
