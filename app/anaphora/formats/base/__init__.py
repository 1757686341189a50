"""Common parts of formats: the protocol, pieces and sentences, encodings, safe XML, zip packages."""
