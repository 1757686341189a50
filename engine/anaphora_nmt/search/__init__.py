"""Beam search with any `StepModel`, and its constraints.

May import `models` and its dependencies.
"""
