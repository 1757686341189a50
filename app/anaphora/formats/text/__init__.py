"""Plain text and its markup languages: txt, Markdown and MDX."""
