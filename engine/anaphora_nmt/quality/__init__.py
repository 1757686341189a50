"""Estimation of drafts' quality: evidence from the decoding, and a small fitted model."""
