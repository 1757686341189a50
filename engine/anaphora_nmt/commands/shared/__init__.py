"""Common code of commands: the embedded model's place."""
