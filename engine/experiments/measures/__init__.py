"""Test sets and their texts that only the papers' comparisons need."""
