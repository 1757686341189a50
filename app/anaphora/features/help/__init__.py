"""The guide, about, and the report of a problem."""
