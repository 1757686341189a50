"""Common parts of formats: the protocol, pieces and sentences, encodings, safe XML, zip packages.

May import `segmentation` and the app's core; no toolkit and no format.
"""
