"""Lines: measures clusters, breaks paragraphs into lines, and puts each line into its display order."""
