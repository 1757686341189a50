"""The engine in the window: device, status, banner."""
