"""Translation memories beside the work: matches, concordance, pre-translation, import and export."""
