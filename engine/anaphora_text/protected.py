"""Text that is not translated: numbers, addresses, placeholders, paths, names in code."""

from __future__ import annotations

import re

from anaphora_text.function_words import read_table
from anaphora_text.han import HAN, UNSPACED_LETTERS
from anaphora_text.punctuation import QUOTE_PAIRS, WIDE_FORMS, WIDE_PAUSES, WIDE_SENTENCE_ENDS
from anaphora_text.tags import SINGLE

_QUOTES = "".join(pair[0] for pair in QUOTE_PAIRS)
_TEXT_CHARACTER = r"[^{}<>()\[\]$#%|=&\"'`\\\n]"
_SENTENCE = (
    rf"\s*(?:(?=[{_QUOTES}]?[{UNSPACED_LETTERS}])(?:{_TEXT_CHARACTER}{{0,200}}?[{WIDE_SENTENCE_ENDS}{WIDE_PAUSES}]"
    rf"|(?=[{UNSPACED_LETTERS}]{{9}}){_TEXT_CHARACTER}{{0,200}}?(?<!目)[的你您]|[{UNSPACED_LETTERS}]{{17}})"
    r"|[A-Z][a-z]*(?:(?:,? [A-Za-z]+){4,60}[.!?]?|(?:,? [A-Za-z]+){2,60}[.!?])\s*[%?}])"
)


def _code_pattern(*kinds: tuple[str, str]) -> str:
    """A pattern for kinds of code, each given as two patterns: the opening marks, and the rest."""
    openings = "|".join(opening for opening, _ in kinds)
    return rf"(?!(?:{openings}){_SENTENCE})(?:{'|'.join(map(''.join, kinds))})"


_BRACES_CONTENT = r"(?:(?!\}\}|\{\{|\n\s*\n)[\s\S]){0,400}"
_ICU_ARGUMENT = (
    r"\s*[\w.]{1,64}\s*(?:(?:,[^{}]{0,80})?\}(?!\})|,\s*(?:plural|selectordinal|select|choice)\s*,)"
)
"""Text after `{{` which shows that the first brace begins a branch of an ICU message: other{{n} files}."""
_CODE_OUTPUT = _code_pattern(
    (r"\{\{", rf"(?:\{{(?!\{{){_BRACES_CONTENT}\}}\}}\}}|(?![{{]|{_ICU_ARGUMENT}){_BRACES_CONTENT}\}}\}})"),
    (r"<%[-=]", r"(?:(?!%>|<%)[\s\S]){0,400}%>"),
    (r"[$#]\{", r"[^{}\n]{1,100}\}"),
)
TEMPLATE_OUTPUT = rf"{_CODE_OUTPUT}|<\?(?:=|php\s+echo\b)(?:(?!\?>|<\?)[\s\S]){{0,400}}\?>"
"""Output expressions of Jinja, Liquid, Hugo, Vue, Handlebars, ERB, JSP and PHP, and `${x}`."""
_CODE_STATEMENT = _code_pattern(
    (r"\{%", r"(?:(?!%\}|\{%)[\s\S]){0,400}%\}"),
    (r"<%", r"(?:(?!%>|<%)[\s\S]){0,400}%>"),
    (r"<\?", r"(?:(?!\?>|<\?)[\s\S]){0,400}\?>"),
)
TEMPLATE_STATEMENT = (
    r"\{%-?\s*comment\b[^{}]{0,200}%\}(?:(?!\{%)[\s\S]){0,2000}\{%-?\s*endcomment\s*-?%\}"
    rf"|{_CODE_STATEMENT}|\{{#(?:(?!#\}})[^\n]){{0,400}}#\}}"
)
"""Statements of templates: {% if n > 1 %}. A comment includes its content."""
_FIRST_CHARACTER = r"(?=[{<$#])"
TEMPLATE = re.compile(rf"{_FIRST_CHARACTER}(?:(?P<output>{TEMPLATE_OUTPUT})|{TEMPLATE_STATEMENT})")
_PATTERNS = (
    SINGLE.pattern,  # a standalone tag
    rf"(?:https?|ftp|file|git|ssh)://[^\s{WIDE_FORMS}{HAN}<>\"'`]*[A-Za-z0-9/_#=-]",
    r"[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+",
    rf"{TEMPLATE_OUTPUT}|{TEMPLATE_STATEMENT}",
    *read_table("protected.txt").splitlines(),
)
"""`protected.txt` has patterns of variables, citations, options, paths, file names, code and figures."""
_PROTECTED = re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS), re.ASCII)


def find_protected(text: str) -> list[tuple[int, int]]:
    """Character spans of the tags, numbers, addresses and code-like tokens in `text`, in order."""
    return [match.span() for match in _PROTECTED.finditer(text)]
