"""Answers to requests: the draft of a segment, a completion, the drafts of a corpus."""
