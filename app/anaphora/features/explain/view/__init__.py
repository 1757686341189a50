"""Why a draft is as it is: panels, marks, sections of the rail."""
