"""What is offered, as a dialog."""
