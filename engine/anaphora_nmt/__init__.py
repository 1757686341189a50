"""Document-level neural machine translation with memories, as a library and as `anaphora-nmt`.

The app imports `api`, `types` and `errors` of it and nothing else; it imports nothing of the app, nor Qt.
"""
