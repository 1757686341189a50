"""Whether there is a newer version: asked by a click in “About”, and by nothing else.

    newest   what the repository of the releases says
    view     the click and the answer in the window

A program that was built without a repository (`packaging/build.py --repository`) asks nobody."""
