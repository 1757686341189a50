"""Checks of a translation against its source, each a module with a `Check` that `registry` lists.

A new check is a module here that ends in `CHECK = Check(…)`, its line in `registry.CHECKS`, and its cases in
tests/app/checks/segment. Its text is translated in `anaphora_zh_CN.ts`, context "Quality".
"""
