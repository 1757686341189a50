"""Who offers models. A new source is a module with a class like `source.Source`, and a line in `registry`."""
