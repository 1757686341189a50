"""Drafts of segments and corpora, and completions."""
