"""Ids of segments: in a project, the id that a segment got with its file follows its document's id."""

from __future__ import annotations


def project_id(document: str, segment: str) -> str:
    """The id of a segment in its project, from its id in the file; a document outside a project has id ""."""
    return f"{document}/{segment}" if document else segment


def document_id(segment: str) -> str:
    """The id of the document that a segment belongs to, from its id in the project."""
    return segment.partition("/")[0]
