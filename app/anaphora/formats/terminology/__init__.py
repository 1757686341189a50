"""Lists of terms, read into entries of a term base and written from them: TBX, and tables (CSV)."""
