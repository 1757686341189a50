"""The pipeline from source segments to drafts and explanations, with a document's memory.

Each folder is a step: `preparing`, `opened`, `searching`, `judging`, `correcting`, `suggesting`, then
`explaining` and `fitting`. A step may import earlier steps.
"""
