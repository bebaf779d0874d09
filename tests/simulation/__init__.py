"""Simulated evenings from one seed: phones, faults and time, checked against a model."""
