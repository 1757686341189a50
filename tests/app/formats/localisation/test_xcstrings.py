"""Apple's String Catalogs: the target language's units are read and written, the rest keeps its bytes."""

from __future__ import annotations

import json

import bilingual_samples as samples
import pytest

from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.registry import fill, read_bytes

FILE = """{
  "sourceLanguage" : "zh-Hans",
  "strings" : {
    "" : {

    },
    "你好，%@" : {
      "comment" : "问候",
      "localizations" : {
        "en" : {
          "stringUnit" : {
            "state" : "translated",
            "value" : "Hello, %@"
          }
        },
        "fr" : {
          "stringUnit" : {
            "state" : "translated",
            "value" : "Bonjour"
          }
        }
      }
    },
    "再见" : {

    },
    "旧" : {
      "extractionState" : "stale"
    },
    "品牌" : {
      "shouldTranslate" : false
    },
    "n.files" : {
      "extractionState" : "manual",
      "localizations" : {
        "en" : {
          "variations" : {
            "plural" : {
              "one" : {
                "stringUnit" : {
                  "state" : "needs_review",
                  "value" : "%lld file"
                }
              },
              "other" : {
                "stringUnit" : {
                  "state" : "new",
                  "value" : ""
                }
              }
            }
          }
        },
        "zh-Hans" : {
          "variations" : {
            "plural" : {
              "other" : {
                "stringUnit" : {
                  "state" : "translated",
                  "value" : "%lld 个文件"
                }
              }
            }
          }
        }
      }
    }
  },
  "version" : "1.0"
}
"""
ADDED = """"再见" : {
      "localizations" : {
        "en" : {
          "stringUnit" : {
            "state" : "translated",
            "value" : "\\"Bye\\""
          }
        }
      }
    },"""


def opened(text: str = FILE):
    return read_bytes(text.encode(), "Localizable.xcstrings")


def test_units_of_the_target_language_with_their_states() -> None:
    document = opened()
    assert [(each.block, each.source, each.target, each.status) for each in document.segments] == [
        ("/strings/你好，%@", "你好，{1/}", "Hello, {1/}", Status.EDITED),
        ("/strings/再见", "再见", "", Status.NOT_STARTED),
        ("/strings/n.files/plural/one", "{1/} 个文件", "{1/} file", Status.DRAFT),
        ("/strings/n.files/plural/other", "{1/} 个文件", "", Status.NOT_STARTED),
    ]
    assert document.segments[0].notes[1:] == (Note(NoteKind.COMMENT, "问候"),)
    assert document.segments[2].notes[1:] == (Note(NoteKind.CONTEXT, "plural one"),)
    assert samples.put(document, {}) == document.data


def test_targets_and_states_are_written() -> None:
    document = opened()
    states = [
        SegmentState("Hi, {1/}", Status.DRAFT),
        SegmentState('"Bye"', Status.CONFIRMED),
        SegmentState("{1/} file", Status.EDITED),
        SegmentState("{1/} files", Status.DRAFT),
    ]
    wanted = {each.id: state for each, state in zip(document.segments, states, strict=True)}
    text = samples.put(document, wanted).decode()
    expected = FILE
    for old, new in (
        ('translated",\n            "value" : "Hello, %@"', 'needs_review",\n            "value" : "Hi, %@"'),
        (
            'needs_review",\n                  "value" : "%lld f',
            'translated",\n                  "value" : "%lld f',
        ),
        ('new",\n                  "value" : ""', 'needs_review",\n                  "value" : "%lld files"'),
        ('"再见" : {\n\n    },', ADDED),
    ):
        assert old in expected
        expected = expected.replace(old, new)
    assert text == expected
    json.loads(text)
    assert samples.states(opened(text)).keys() == samples.states(document).keys()
    assert [each.target for each in opened(text).segments] == ["Hi, {1/}", '"Bye"', "{1/} file", "{1/} files"]


def test_other_files_are_refused() -> None:
    with pytest.raises(FormatError, match="not a String Catalog"):
        opened('{"a": "b"}')
    with pytest.raises(FormatError, match="not valid JSON"):
        opened('{"sourceLanguage": "zh"')


def test_plural_forms_of_arguments_are_read() -> None:
    """Each of several arguments has its plural forms, in which `%arg` is the number."""

    def forms(**texts: str) -> str:
        units = ",".join(
            f'"{form}":{{"stringUnit":{{"state":"translated","value":"{text}"}}}}'
            for form, text in texts.items()
        )
        return f'"substitutions":{{"files":{{"argNum":1,"variations":{{"plural":{{{units}}}}}}}}}'

    def unit(text: str) -> str:
        return f'"stringUnit":{{"state":"translated","value":"{text}"}}'

    text = (
        '{"sourceLanguage":"zh","strings":{"k":{"localizations":{'
        f'"zh":{{{unit("共%#@files@")},{forms(other="%arg 个文件")}}},'
        f'"en":{{{unit("%#@files@")},{forms(one="%arg file", other="%arg files")}}}}}}}}}}}'
    )
    document = read_bytes(text.encode(), "a.xcstrings")
    assert [(each.source, each.target) for each in document.segments] == [
        ("共{1/}", "{1/}"),
        ("{1/} 个文件", "{1/} file"),
        ("{1/} 个文件", "{1/} files"),
    ]
    assert document.segments[1].tags == (("{1/}", "%arg"),)
    segments = [
        each.with_state(SegmentState(f"{{1/}} F{number}", Status.EDITED))
        for number, each in enumerate(document.segments)
    ]
    written = fill(document.data, "xcstrings", segments, ReadOptions("zh")).decode()
    assert '"en":{' + unit("%#@files@ F0") + "," + forms(one="%arg F1", other="%arg F2") in written


def test_missing_source_form_comes_from_other_forms_of_argument() -> None:
    """Each of two arguments gets English's two forms, although Chinese has only one."""

    def form(text: str) -> str:
        return f'{{"stringUnit":{{"state":"translated","value":"{text}"}}}}'

    def argument(name: str, *forms: str) -> str:
        plural = ",".join(f'"{key}":{form(text)}' for key, text in zip(("other", "one"), forms, strict=False))
        return f'"{name}":{{"variations":{{"plural":{{{plural}}}}}}}'

    def language(*arguments: str) -> str:
        return f'{{{form("%#@files@ %#@folders@ 好 ok")[1:-1]},"substitutions":{{{",".join(arguments)}}}}}'

    chinese = language(argument("files", "%arg 个文件"), argument("folders", "%arg 个文件夹"))
    english = language(argument("files", "%arg files", "%arg file"), argument("folders", "%arg f.", "one f."))
    text = (
        f'{{"sourceLanguage":"zh","strings":{{"k":{{"localizations":{{"zh":{chinese},"en":{english}}}}}}}}}'
    )
    document = read_bytes(text.encode(), "a.xcstrings")
    sources = {each.target: each.source for each in document.segments}
    assert sources["{1/} file"] == "{1/} 个文件" and sources["one f."] == "{1/} 个文件夹"


def test_target_language_keeps_spelling_of_file() -> None:
    text = FILE.replace('"en"', '"en-GB"')
    document = opened(text)
    assert [each.target for each in document.segments] == ["Hello, {1/}", "", "{1/} file", ""]
    bye = next(each for each in document.segments if each.source == "再见")
    written = samples.put(document, {bye.id: SegmentState('"Bye"', Status.EDITED)}).decode()
    assert ADDED.replace('"en"', '"en-GB"') in written
