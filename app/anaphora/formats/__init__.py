"""Readers and writers of document formats.

What was not translated keeps its bytes: a writer starts from the original, as the reader does, and
splices targets into it. Six packages hold the toolkits, one for each way in which a format is made of
text, with the formats that use them:

- `text`: text with marks in it (txt, Markdown); blocks are pieces whose `raw` strings join into the source.
- `markup`: XML or HTML, spliced at offsets (HTML, EPUB, OpenDocument). A format writes a `Dialect`, which
  says what each element is (a block, inline, protected …); the toolkit finds and replaces the texts.
- `office`: Office Open XML (docx, pptx, xlsx); paragraphs are runs with a style, in trees of lxml.
- `subtitles`: cues with a time (srt, ass, vtt); a cue is one segment.
- `localisation`: catalogues of programs with keys and strings (json, yaml, properties, resx, Android); a
  string is one segment.
- `bilingual`: files that hold targets and states, too (PO, XLIFF, TMX); a unit is one segment.

A new format is one module in one of them that ends in `FORMAT = …`, an object as `base.protocol` describes
it (a bilingual one is a `bilingual.unit_format.UnitFormat`), its import and entry in `registry.FORMATS`, and
one test module in the same place under `tests/app/formats`. Nothing else knows formats by name: dialogs,
folders, and drag and drop ask the registry.

`terminology` reads and writes lists of terms (TBX, CSV), which are no documents.

Imports go one way: `registry`, the toolkits, `base`, `segmentation`; `bilingual` also uses the tokens of
`markup`, and `localisation` the XML of `bilingual`.
"""
