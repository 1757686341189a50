"""Translation memories: matches, concordance, pre-translation, import and export."""
