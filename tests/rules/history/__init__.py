"""Tests of full hand histories and their file formats."""
