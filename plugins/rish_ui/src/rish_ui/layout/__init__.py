"""The layout: from sizes, shares and contents to rectangles."""
