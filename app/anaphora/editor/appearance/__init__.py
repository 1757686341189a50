"""Theme, icons, fonts and language names. May import Qt and the resources."""
