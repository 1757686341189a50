"""The window. Its packages import one another in one direction:
`window` → `controllers` → `dialogs` | `panels` → `widgets` → `actions` → `appearance`.

May import every other package but `main`. No view starts a job, writes a file or knows the store: that
is for `project` and `services`.
"""
