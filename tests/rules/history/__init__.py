"""Tests of full hand histories and of their formats."""
