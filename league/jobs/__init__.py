"""Background work: queues in tables, leases and calendar jobs."""
