"""Drawing of texts: places their letters in a view and makes sprites of them."""
