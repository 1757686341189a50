"""The memory in the window: panels, rules, packs."""
