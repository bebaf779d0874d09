"""From a record to its answer: read, check, contest, award, explain."""
