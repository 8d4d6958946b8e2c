"""The list of all instances: from models, materials and poses to sorted rows that passes take."""
