"""Build a scene by hand and ask it: rays, lines of sight, nearest points."""

import numpy as np

from volery import Material, Placement, Scene, box, plane, sphere

scene = Scene()
scene.add(Placement.one("ground", plane(100.0, materials=(Material("grass", (0.1, 0.2, 0.05)),))))
scene.add(Placement.one("house", box((6.0, 4.0, 3.0)), (10.0, 0.0, 1.5)))
ball = scene.add(Placement.one("ball", sphere(0.5), (4.0, 0.0, 1.0)), moving=True)

hits = scene.cast([0.0, 0.0, 1.0], np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]))
print("ahead:", hits.names[0], "at", round(float(hits.distance[0]), 3), "m; below:", hits.names[1])

ball.move(np.hstack([np.eye(3), [[4.0], [3.0], [1.0]]]))
print("after the ball rolled away:", scene.cast([0.0, 0.0, 1.0], [[1.0, 0.0, 0.0]]).names[0])

print("is the house in the way?", bool(scene.occluded([0.0, 0.0, 1.0], [20.0, 0.0, 1.0])[0]))

points, distances, _ = scene.closest_point([[10.0, 0.0, 1.0]])
print("inside the house the nearest wall is", round(-float(distances[0]), 3), "m away")
