"""Common code of commands."""
