"""Import and export of term lists: TBX and tables (CSV)."""
