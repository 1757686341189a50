"""Checks of a translation against its source.

Each module lists its checks (`CHECKS`) and finds them (`find`); `checks.registry` combines them. The
texts are translated in `anaphora_zh_CN.ts`, context "Quality".
"""
