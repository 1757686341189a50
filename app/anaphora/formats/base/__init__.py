"""Common parts of formats: the protocol, pieces and sentences, encodings, safe XML, zip packages.

Its modules may import `segmentation` and the app's core, but no toolkit and no format.
"""
