"""Which segments the table shows, and how much is done."""
