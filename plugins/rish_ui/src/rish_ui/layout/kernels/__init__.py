"""The compiled parts of the layout: preparation, widths, heights and places, over flat rows."""
