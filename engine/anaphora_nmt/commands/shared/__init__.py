"""What several commands share: the embedded model's place, and several processes as one.

May import `memory` and what lies below it; no command."""
