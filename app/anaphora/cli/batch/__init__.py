"""Translation of many documents: the documents (`plan`), the processes (`pool`, `cluster`, `translating`)
and the progress (`ledger`).

Nothing here needs a window. Each document has its own memory, so the result does not depend on the order or
the number of processes.
"""
