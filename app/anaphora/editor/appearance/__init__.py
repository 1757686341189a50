"""The Qt application, themes, icons, fonts and language names. Imports no other part of the editor."""
