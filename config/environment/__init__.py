"""The variables of the service: what each is, how it is read, what goes with what."""
