"""The format of packs: names, list of files, archive, and which files of a folder belong in."""
