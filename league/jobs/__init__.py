"""Background work: queues in tables, leases, mail and calendar jobs."""
