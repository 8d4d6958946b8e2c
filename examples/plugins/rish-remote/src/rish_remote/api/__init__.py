"""What a request is: routes, arguments, values, errors."""
