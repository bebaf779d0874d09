"""Evenings that one seed decides: phones, faults, time; a model says what must be true."""
