"""The manual of a bundle: the pages of the documentation as HTML that a browser opens without a server."""
