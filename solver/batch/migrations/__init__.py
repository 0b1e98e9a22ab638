"""The steps that bring a database of jobs to the present form, applied by `solver.batch.store`."""
