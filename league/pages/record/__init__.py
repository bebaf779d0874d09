"""The recording page, for entering, checking, saving and correcting hands."""
