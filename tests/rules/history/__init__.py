"""Tests of full hand histories and of the formats they come in."""
