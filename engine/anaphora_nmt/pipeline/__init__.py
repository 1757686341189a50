"""The way from written segments to drafts and explanations, with a document's memory.

May import `search`, `models` and what those may; not `training` or `evaluation`.
"""
