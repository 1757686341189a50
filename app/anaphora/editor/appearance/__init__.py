"""Theme, icons and the language of the texts. May import Qt and the resources."""
