"""Translating many documents: which (`plan`), by whom (`pool`, `translating`), what is done (`ledger`).

Nothing here knows a window. A document is translated in a memory of its own, as a single one is, so it does
not matter in which order and by how many processes.
"""
