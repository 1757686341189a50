"""The Qt application, themes, icons, fonts and language names. Imports no other package of the editor."""
