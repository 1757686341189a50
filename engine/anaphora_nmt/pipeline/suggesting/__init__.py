"""What is answered: the draft of a segment, how a typed one goes on, the drafts of a corpus."""
