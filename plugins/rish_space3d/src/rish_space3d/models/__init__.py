"""Models as geometry: files of glTF, which need `rish-gltf`, and generated shapes. Nothing here draws."""
