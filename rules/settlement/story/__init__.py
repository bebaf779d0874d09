"""Why a hand was settled as it was, in sentences."""
