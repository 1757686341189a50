"""What is said of drafts that will be weak."""
