"""The main window and its menus: where the parts are put together.

May import everything of the views."""
