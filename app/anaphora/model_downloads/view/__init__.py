"""Getting models in the window: the dialog of what is offered, the progress, and who connects them."""
