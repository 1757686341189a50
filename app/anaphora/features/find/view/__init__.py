"""The bar to find and replace with."""
