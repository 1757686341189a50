"""The publishing workflow uses existing scripts and attaches all installers."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Any

import pytest
import yaml
from installers.paths import ROOT, installer_names, releases, version

WORKFLOW = ROOT / ".github" / "workflows" / "installers.yml"


@pytest.fixture(scope="module")
def jobs() -> dict[str, Any]:
    read: dict[Any, Any] = yaml.safe_load(WORKFLOW.read_text("utf-8"))
    assert read[True]["push"] == {"tags": ["v*"]}  # YAML 1.1 reads `on` as true
    found: dict[str, Any] = read["jobs"]
    return found


def test_each_system_builds_tests_and_uploads_its_installers(jobs: dict[str, Any]) -> None:
    kept: set[str] = set()
    for job in ("linux", "windows", "macos"):
        steps = jobs[job]["steps"]
        scripts = " ".join(step.get("run", "") for step in steps)
        assert "packaging/build.py" in scripts and "smoke_test.py" in scripts.replace("\\", "/")
        (paths,) = (step["with"]["path"] for step in steps if "upload-artifact" in step.get("uses", ""))
        kept |= {path.strip().removeprefix("build/") for path in paths.split("\n") if path.strip()}
    assert kept == {*installer_names().values()}
    assert jobs["release"]["needs"] == ["linux", "windows", "macos"]
    assert jobs["release"]["if"] == "startsWith(github.ref, 'refs/tags/v')"


def test_every_script_of_the_workflow_exists() -> None:
    text = WORKFLOW.read_text("utf-8").replace("\\", "/")
    named = {*re.findall(r"packaging/[\w./-]+\.\w+", text)}
    assert named and all((ROOT / each).is_file() for each in named)


def test_only_the_publishing_job_may_write(jobs: dict[str, Any]) -> None:
    assert yaml.safe_load(WORKFLOW.read_text("utf-8"))["permissions"] == {"contents": "read"}
    assert [name for name, job in jobs.items() if "permissions" in job] == ["release"]
    used = {step["uses"] for job in jobs.values() for step in job["steps"] if "uses" in step}
    assert all(re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", each) for each in used)


def test_the_published_version_is_in_the_changelog(jobs: dict[str, Any]) -> None:
    assert releases()[0][0] == version()
    if shutil.which("awk") is None:
        pytest.skip("awk is not installed")
    script = jobs["release"]["steps"][-1]["run"]
    (program,) = re.findall(r"awk -v version=\S+ '(.+?)'", script)
    changes = str(ROOT / "packaging" / "CHANGELOG.md")
    command = ["awk", "-v", f"version={version()}", program, changes]
    notes = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert notes.strip() and "\n## " not in notes
