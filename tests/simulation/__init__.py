"""Simulated evenings with phones, faults and time from one seed, checked against a model."""
