"""Translating many documents: which (`plan`), by whom (`pool`, `translating`), what is done (`ledger`).

Nothing here needs a window. Each document has its own memory, so the result does
not depend on the order or the number of processes.
"""
