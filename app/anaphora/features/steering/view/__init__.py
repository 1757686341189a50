"""Rules for the memory: menus, lists, previews, the timeline."""
