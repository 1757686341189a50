"""All documents of a project, translated each by itself by as many processes as there are cores."""
