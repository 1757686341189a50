"""Translation of many documents: the documents (`plan`), the processes (`pool`, `cluster`, `translating`)
and the progress (`ledger`).

Nothing in this package needs a window. Each document has a separate memory, so its translation depends
neither on the order of the documents nor on the number of processes.
"""
