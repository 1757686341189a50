"""Getting models: what is offered, downloading, installing.

Nothing here connects to anything until a function is called that a click or a command stands for.
"""
