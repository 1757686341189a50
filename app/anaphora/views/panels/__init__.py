"""The contents of the docks, one panel a module, and the docks themselves.

May import `widgets`, `actions` and `appearance`, types of services and of the engine; calls no service.
"""
