"""The segments that the table shows, and the progress of the work."""
