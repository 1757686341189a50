"""What several commands share: the embedded model's place, names of memories, arguments of the search.

May import `memory` and what lies below it; no command."""
