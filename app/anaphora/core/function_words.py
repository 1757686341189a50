"""English words that say nothing by themselves: no rendering of a term, nothing to be offered."""

from __future__ import annotations

_WORDS = (
    "a an the of to in on at by for with from as and or but is are was were be been it its this that "
    "these those which who what when where why how if then not no do does did can could will would shall "
    "may might must should has have had after before during until since all any each every some such "
    "there here also both i you he she we they me him us them my your his our their so than because "
    "although though while however therefore thus instead over under into about through between please "
    "without within upon among via per one including according regarding based"
)
FUNCTION_WORDS = frozenset(_WORDS.split())
