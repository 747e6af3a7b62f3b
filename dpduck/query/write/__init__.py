"""The parts that emitted SQL is made of."""
