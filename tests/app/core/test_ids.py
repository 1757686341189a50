"""Ids of segments in a file and in a project."""

from __future__ import annotations

import pytest

from anaphora.core.ids import document_id, project_id


@pytest.mark.parametrize("segment", ["17", "3.0a1b2c3d", "unit/7"])
def test_an_id_of_a_project_names_its_document(segment: str) -> None:
    assert document_id(project_id("2", segment)) == "2"


def test_outside_a_project_the_id_is_that_of_the_file() -> None:
    assert project_id("", "17") == "17"
