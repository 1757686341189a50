"""The pipeline from source segments to drafts and explanations, with a document's memory.

Each folder is a step and may import the earlier ones: `preparing`, `opened`, `searching`, `judging`,
`correcting`, `suggesting`, then `explaining` and `fitting`.
"""
