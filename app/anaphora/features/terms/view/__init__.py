"""Terms in the window: recurring terms, terms of the segment, term base."""
