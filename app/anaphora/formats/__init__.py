"""Readers and writers of document formats.

A file is parsed once. The parsed file yields its texts and splices translations into the original bytes;
untranslated parts keep their bytes. There are six packages. Each has a toolkit for one way of storing text,
and the formats that use it:

- `text`: text with marks in it (txt, Markdown); blocks are pieces whose `raw` strings join into the source.
- `markup`: XML or HTML, spliced at offsets (HTML, EPUB, OpenDocument). A format defines a `Dialect` with the
  role of each element (block, inline, protected …); the toolkit finds and replaces the texts.
- `office`: Office Open XML (docx, pptx, xlsx); paragraphs are runs with a style, in trees of lxml.
- `subtitles`: cues with a time (srt, ass, vtt); a cue is one segment.
- `localisation`: catalogues of programs with keys and strings (json, yaml, properties, resx, Android); a
  string is one segment.
- `bilingual`: files that also contain targets and states (PO, XLIFF, TMX); a unit is one segment.

To add a format, write one module in one of these packages that ends in `FORMAT = …`, an object that opens
files (`base.opened`); import and list it in `registry.FORMATS`; add one test module under
`tests/app/formats`; see `app/README.md`. No other code knows formats by name: dialogs, folders, and drag
and drop use the registry.

`terminology` reads and writes lists of terms (TBX, CSV), which are not documents.

Imports go one way: `registry`, the toolkits, `base`, `segmentation`. `bilingual` also uses the
tokens of `markup`, and `localisation` the XML of `bilingual`.
"""
