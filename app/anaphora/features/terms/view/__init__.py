"""Terms in the window: ledger, list, dialog."""
