"""A provider of `rigid3d` in plain Python. Read `step`, `solver`, `collide`, `bodies`, `contacts`."""
