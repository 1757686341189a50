"""Checks of a translation against its source.

A module here says what it checks (`CHECKS`) and finds it (`find`); `checks.registry` puts them together. The
texts are translated in `anaphora_zh_CN.ts`, context "Quality".
"""
