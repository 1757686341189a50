"""Beam search over anything that makes steps, with its constraints.

May import `models` and what those may; needs only `nn.state` of them to search.
"""
