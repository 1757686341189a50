"""Fitting of the constants of a model's memories and quality estimator."""
