"""Checks of a translation against its source.

Each module except `check` defines checks (`CHECKS`) and runs them (`find`); `checks.registry` combines
them. The messages are translated in `anaphora_zh_CN.ts`, context "Quality".
"""
