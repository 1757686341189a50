"""macOS: an application's Info.plist, its signature, and a disk image that contains it."""

from __future__ import annotations

import plistlib
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from installers.documents import document_types, documents
from installers.paths import PACKAGING, installer_names, version

ENTITLEMENTS = PACKAGING / "macos" / "entitlements.plist"
AD_HOC = "-"
"""Identity for signing without a certificate; macOS then warns users before they first open the app."""


def build_dmg(application: Path, out: Path, identity: str = AD_HOC) -> Path:
    """Complete Info.plist, sign the application, and make a disk image in `out`; returns the image's path.

    Args:
        identity: name of a certificate "Developer ID Application: …" in the keychain, or `AD_HOC`. For
            notarising, see `packaging/macos/NOTARISING.md`.
    """
    complete_info_plist(application)
    sign(application, identity)
    staging, image = out / "dmg", out / installer_names()["macos"]
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir()
    subprocess.run(["ditto", str(application), str(staging / application.name)], check=True)
    (staging / "Applications").symlink_to("/Applications")
    command = ["hdiutil", "create", "-volname", "Anaphora", "-srcfolder", str(staging)]
    subprocess.run([*command, "-ov", "-format", "ULFO", str(image)], check=True)
    return image


def complete_info_plist(application: Path) -> None:
    path = application / "Contents" / "Info.plist"
    existing = plistlib.loads(path.read_bytes())
    path.write_bytes(plistlib.dumps(info_plist(existing)))


def info_plist(existing: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **existing,
        "CFBundleName": "Anaphora",
        "CFBundleDisplayName": "Anaphora",
        "CFBundleVersion": version(),
        "CFBundleShortVersionString": version(),
        "CFBundleDevelopmentRegion": "en",
        "CFBundleLocalizations": ["en", "zh-Hans"],
        "CFBundleDocumentTypes": document_types(documents()),
        "LSApplicationCategoryType": "public.app-category.productivity",
        "LSMinimumSystemVersion": "12.0",
        "NSHighResolutionCapable": True,
        "NSRequiresAquaSystemAppearance": False,  # allow the dark appearance
        "NSHumanReadableCopyright": "Apache License 2.0",
    }


def sign(application: Path, identity: str) -> None:
    """Sign the application again, because the changes have made PyInstaller's signature invalid."""
    command = ["codesign", "--force", "--deep", "--sign", identity]
    if identity != AD_HOC:
        command += ["--timestamp", "--options", "runtime", "--entitlements", str(ENTITLEMENTS)]
    subprocess.run([*command, str(application)], check=True)
