"""Robots as data: an MJCF model and a small file of mounts and sensors each."""
