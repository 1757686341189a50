"""Readers and writers of document formats.

A file is parsed once. The parsed file yields its texts and splices translations into the original bytes;
untranslated parts keep their bytes. Six packages contain formats, each with a toolkit for one way of storing
text:

- `text`: plain text and Markdown (txt, md, mdx); the `raw` strings of a block's pieces form its source.
- `markup`: XML or HTML, edited at offsets (HTML, EPUB, OpenDocument). A format defines a `Dialect` with the
  role of each element (block, inline, protected …); the toolkit finds and replaces the texts.
- `office`: Office Open XML (docx, pptx, xlsx); in lxml trees, a paragraph consists of runs with styles.
- `subtitles`: cues with a time (srt, ass, vtt); a cue is one segment.
- `localisation`: catalogues of programs with keys and strings (json, yaml, properties, resx, Android, Apple,
  Qt); a string is one segment.
- `bilingual`: files that also contain targets and states (PO, XLIFF, TMX, tables); a unit is one segment.

`terminology` reads and writes lists of terms (TBX, CSV), which are not documents.

To add a format, write one module in one of these packages that ends in `FORMAT = …`, an object with the
interface `base.opened.Format`. Import the module in `registry`, list its `FORMAT` in `registry.FORMATS`, and
add one test module under `tests/app/formats`; see `app/README.md`. No other code knows formats by name.
"""
