"""Beam search and greedy completion with any `StepModel`, and their constraints.

May import `models` and its dependencies.
"""
