"""The find bar and its controller."""
