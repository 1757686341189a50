"""Readers and writers of document formats.

A file is opened once: what was parsed gives its texts, and splices their translations into the original;
what was not translated keeps its bytes. Six packages hold the toolkits, one for each way in which a format is
made of text, with the formats that use them:

- `text`: text with marks in it (txt, Markdown); blocks are pieces whose `raw` strings join into the source.
- `markup`: XML or HTML, spliced at offsets (HTML, EPUB, OpenDocument). A format writes a `Dialect`, which
  with the kind of each element (a block, inline, protected …); the toolkit finds and replaces the texts.
- `office`: Office Open XML (docx, pptx, xlsx); paragraphs are runs with a style, in trees of lxml.
- `subtitles`: cues with a time (srt, ass, vtt); a cue is one segment.
- `localisation`: catalogues of programs with keys and strings (json, yaml, properties, resx, Android); a
  string is one segment.
- `bilingual`: files that hold targets and states, too (PO, XLIFF, TMX); a unit is one segment.

A new format is one module in one of them that ends in `FORMAT = …`, an object that opens files
(`base.opened`), its import and entry in `registry.FORMATS`, and one test module in the same place under
`tests/app/formats`; see `app/README.md`. No other code knows formats by name: dialogs, folders, and drag
and drop ask the registry.

`terminology` reads and writes lists of terms (TBX, CSV), which are not documents.

Imports go one way: `registry`, `open_file`, the toolkits, `base`, `segmentation`; `bilingual` also uses the
tokens of `markup`, and `localisation` the XML of `bilingual`.
"""
