"""The parts of a request: routes, arguments, values, errors."""
