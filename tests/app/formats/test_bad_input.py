"""Bad files get a clear message each."""

from __future__ import annotations

import errno
import io
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

import docx_samples as samples
import pytest
from rendering import render

from anaphora.formats.base.format import FormatError, UnknownFormatError
from anaphora.formats.registry import MAX_BYTES, read, read_bytes


def refusal(path: Path) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read(path)
    assert caught.value.message.endswith(".") and caught.value.advice.endswith(".")
    return caught.value


def test_a_missing_file(tmp_path: Path) -> None:
    assert "does not exist" in refusal(tmp_path / "none.txt").message
    assert "does not exist" in refusal(tmp_path / "no folder" / "none.docx").message


def test_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "folder.docx"
    folder.mkdir()
    assert "is a folder" in refusal(folder).message


def test_file_without_read_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("文字")

    def refuse(_: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert "permission" in refusal(path).message


def test_an_unknown_kind_of_file(tmp_path: Path) -> None:
    path = tmp_path / "a.xyz"
    path.write_bytes(b"PK")
    error = refusal(path)
    assert isinstance(error, UnknownFormatError) and ".docx" in error.advice
    with pytest.raises(UnknownFormatError, match="xyz"):
        render(b"", "xyz", {})


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert "too large" in refusal(path).message


def test_a_binary_renamed_txt(tmp_path: Path) -> None:
    path = tmp_path / "program.txt"
    path.write_bytes(b"\x7fELF" + bytes(range(256)))
    assert "binary data" in refusal(path).message


def test_a_truncated_docx(tmp_path: Path) -> None:
    path, whole = tmp_path / "a.docx", samples.report()
    for length in range(0, len(whole), len(whole) // 50):
        path.write_bytes(whole[:length])
        assert "a.docx" in refusal(path).message


def _places(package: bytes) -> Iterator[int]:
    """Positions of bytes to flip: data of every part, zip records of four parts, the end of the archive.

    The four are the first part that is read, the text, a part that the text needs, and an unused part.
    """
    directory = package.index(b"PK\x01\x02")
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        parts = archive.infolist()
    named = ("[Content_Types].xml", "word/document.xml", "word/styles.xml", "docProps/thumbnail.jpeg")
    assert {*named} <= {part.filename for part in parts}
    for part in parts:
        name = part.filename.encode()
        yield part.header_offset + 30 + len(name) + part.compress_size // 2
        if part.filename in named:
            # signature, flags, method, checksum, sizes, lengths, place, name
            yield from (part.header_offset + field for field in (0, 6, 8, 14, 18, 22, 26, 28, 30))
            record = package.index(name, directory) - 46
            yield from (record + field for field in (0, 8, 10, 16, 20, 24, 28, 30, 32, 42, 46))
    yield from (len(package) - 22 + field for field in (0, 4, 8, 10, 12, 16, 20))


@pytest.mark.slow
def test_a_docx_with_flipped_bytes_is_read_or_refused() -> None:
    whole = samples.report()
    ends = set()
    for position in _places(whole):
        broken = bytearray(whole)
        broken[position] ^= 0xFF
        try:
            document = read_bytes(bytes(broken), "a.docx")
            render(bytes(broken), "docx", {segment.id: "x" for segment in document.segments})
            ends.add("read")
        except FormatError as error:
            assert error.advice
            ends.add("refused")
    assert ends == {"read", "refused"}


def test_an_old_or_encrypted_document(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    error = refusal(path)
    assert "old .doc" in error.message and "save it as .docx" in error.advice


def test_a_package_with_a_password() -> None:
    data = bytearray(samples.report())
    position = data.index(b"PK\x01\x02")
    data[position + 8] |= 1
    with pytest.raises(FormatError, match="password"):
        read_bytes(bytes(data), "a.docx")


def test_a_package_that_is_not_a_word_document() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("hello.txt", "hello")
    with pytest.raises(FormatError, match="not a valid Word document"):
        read_bytes(out.getvalue(), "a.docx")
    types = b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
    with pytest.raises(FormatError, match="not a valid Word document"):
        read_bytes(samples.repacked(samples.report(), {"[Content_Types].xml": types}), "a.docx")


def test_broken_xml() -> None:
    data = samples.repacked(samples.report(), {"word/document.xml": b"<w:document"})
    with pytest.raises(FormatError, match="not valid XML"):
        read_bytes(data, "a.docx")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_entities_are_refused(encoding: str) -> None:
    bomb = '<!DOCTYPE b [<!ENTITY a "ha"><!ENTITY c "&a;&a;&a;">]><b>&c;</b>'.encode(encoding)
    with pytest.raises(FormatError, match="entities"):
        read_bytes(samples.repacked(samples.report(), {"word/document.xml": bomb}), "a.docx")


def test_an_external_entity_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("秘密")
    xml = f'<!DOCTYPE b [<!ENTITY a SYSTEM "{secret.as_uri()}">]><b>&a;</b>'.encode()
    with pytest.raises(FormatError, match="entities"):
        read_bytes(samples.repacked(samples.report(), {"word/document.xml": xml}), "a.docx")


def test_a_zip_bomb_is_refused_before_it_unpacks() -> None:
    data = samples.repacked(samples.report(), {"word/document.xml": bytes(64 * 2**20)})
    assert len(data) < 2**20
    with pytest.raises(FormatError, match="too large when unpacked"):
        read_bytes(data, "a.docx")


def test_a_zip_bomb_that_lies_about_its_size_is_refused() -> None:
    data = bytearray(samples.repacked(samples.report(), {"word/document.xml": bytes(64 * 2**20)}))
    for position in (i for i in range(len(data)) if data.startswith(b"PK\x01\x02", i)):
        struct.pack_into("<L", data, position + 24, 1000)
    with pytest.raises(FormatError, match=r"damaged|not valid"):
        read_bytes(bytes(data), "a.docx")


def test_an_empty_docx_has_no_segments() -> None:
    data = samples.paragraph("")
    document = read_bytes(data, "a.docx")
    assert document.segments == ()
    assert render(data, "docx", {}) == data
