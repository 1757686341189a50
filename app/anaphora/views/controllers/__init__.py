"""Objects without a widget of their own: what the user does becomes calls of services and commands.

May import all views but `window`."""
