"""What no resource owns: who asks, bodies, errors, pages, the schema."""
