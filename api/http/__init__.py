"""The parts that all resources share: authentication, bodies, errors, paging and the schema."""
