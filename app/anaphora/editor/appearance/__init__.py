"""The Qt application, themes, icons, fonts and language names. May import Qt and the resources."""
