"""Models: files of glTF and generated shapes as meshes, materials and textures that drawers upload once."""
