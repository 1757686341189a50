"""Why a target reads as it does."""
