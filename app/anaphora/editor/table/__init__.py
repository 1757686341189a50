"""The table of segments and its one live editor."""
