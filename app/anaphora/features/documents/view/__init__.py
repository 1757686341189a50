"""The documents' panel and the project's dialogs."""
