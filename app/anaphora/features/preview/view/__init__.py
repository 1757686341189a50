"""The preview, as a panel."""
