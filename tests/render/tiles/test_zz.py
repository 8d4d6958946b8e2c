def test_dbg(map_studio):
    from rish_render import Camera
    from rish_core import Transform
    from rish_render.tiles import TileMap
    from rish_render.tiles.boards import TileMaps
    ROOM="tilesets: {t: tiles.png}\nlegend:\n  '0': 0\nlayers:\n  a: |\n    00\n"
    stage = map_studio({"room.map.yaml": ROOM}, size=(64, 48))
    cam=stage.put(0,0,Camera())
    e=stage.put(0,0,TileMap(map="room.map.yaml"))
    for k in range(4):
        stage.world.set(cam, Transform(position=(k*3,0)))
        stage.shoot()
        b=stage.world[TileMaps].board(stage.world,e)
        art=b.kept["art",0,False]
        print(id(b),id(art),[ (id(x.batch),x.look,x.stamp) for x in art.blocks.blocks.values()], [id(x) for x in stage.batches], b.kept["plans"][0], stage.world[TileMaps].version)
    assert 0
