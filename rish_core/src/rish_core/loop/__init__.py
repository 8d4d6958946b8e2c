"""When it happens: the schedule, the clock, input, layers, the profiler."""
