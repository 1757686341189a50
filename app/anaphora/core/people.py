"""Who works here."""

from __future__ import annotations

import getpass


def user_name() -> str:
    """Who works here, as the system calls them; "" where it cannot tell."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
