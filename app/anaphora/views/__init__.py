"""The window. Its packages import one another in one direction:
`window` → `controllers` → `dialogs` | `panels` → `widgets` → `actions` → `appearance`.

May import every other package but `main`. No view puts a job on the engine's queue or writes a file: that is
for services.
"""
