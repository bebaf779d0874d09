"""The parts that all resources share: authentication, bodies, errors, pages and the schema."""
