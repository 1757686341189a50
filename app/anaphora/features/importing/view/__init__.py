"""The dialog with the choices for reading a document."""
