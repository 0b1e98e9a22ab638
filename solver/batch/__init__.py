"""Many records in, many answers out: jobs that outlive their processes."""
