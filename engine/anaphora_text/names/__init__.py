"""Proper names in Chinese texts, and how English writes them."""
