"""Ids of segments in a file and in a project."""

from __future__ import annotations

import pytest

from anaphora.core.ids import document_id, file_id, project_id


@pytest.mark.parametrize("segment", ["17", "3.0a1b2c3d", "unit/7"])
def test_an_id_of_a_project_gives_back_its_parts(segment: str) -> None:
    whole = project_id("2", segment)
    assert (document_id(whole), file_id(whole)) == ("2", segment)


def test_outside_a_project_the_id_is_that_of_the_file() -> None:
    assert project_id("", "17") == "17"
