"""The way from written segments to drafts and explanations, with a document's memory.

The folders are its steps, `preparing`, `opened`, `searching`, `judging`, `correcting`, `suggesting`, then
`explaining` and `fitting`: each knows those before it.
"""
