"""The commands of packs: `pack`, `unpack`, `add` and `remove`."""
