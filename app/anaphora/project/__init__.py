"""Opening, editing, saving, backing up and rescuing projects, without widgets."""
