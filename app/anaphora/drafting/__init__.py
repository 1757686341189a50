"""Machine drafts: what is drafted when, with which hints, how sure it is, what changed.

No widgets but in `view`.
"""
