"""A bilingual dictionary: what words are called in general; the term base says what they are called here.

May import `core`; knows neither Qt nor the engine.
"""
