#include "core/bind.hpp"
#include "generate/kernels.hpp"

namespace volery {
namespace {

void bind_cave(nb::module_& m) {
  m.attr("BAND") = BAND;
  m.attr("FLOOR") = FLOOR;
  m.attr("SIGHT") = SIGHT;
  m.attr("STEP") = STEP;
  m.attr("CLEAR") = CLEAR;
  table<CaveCapsule>(m, "CaveCapsule");
  table<Drip>(m, "Drip");
  nb::class_<CaveField>(m, "CaveField", "The density of the cave's rock in a box, carved by capsules.");
  kernel(m, "worm", &worm, {"a", "b", "low", "high", "seed"}, "Axis points from a to b [m], within a box, [n, 3].");
  kernel(m, "worm_radii", &worm_radii, {"axis", "low", "high", "seed"}, "Half heights of a tunnel along its axis [m].");
  kernel(m, "cave_field", &cave_field, {"capsules", "low", "high", "seed"}, "The rock in the box low to high [m].");
  kernel(m, "cave_cast", &cave_cast, {"field", "p", "d"},
         "Distance along the unit vector d to the rock, up to SIGHT [m].");
  kernel(m, "cave_gradient", &cave_gradient, {"field", "p", "out"}, "Gradient of the density at a point.");
  kernel(m, "cave_sample", &cave_sample, {"field", "x", "y", "z", "voxel"},
         "Densities at the lattice points x × y × z [m], exact near the surface.");
  kernel(m, "cave_distances", &cave_distances, {"field", "points", "around", "out"},
         "Distances to the rock [m], by rays down the slope and along unit vectors; in the rock by density and slope.");
  kernel(m, "march", &march, {"density", "cases", "voxel"}, "Vertices, normals and faces of a sampled density.");
  kernel(m, "find_drips", &find_drips, {"field", "sources", "rays", "seed", "threshold", "out"},
         "Where rays upwards from sources, so many from each, find a dripping ceiling; returns how many.");
  kernel(m, "stones_clear", &stones_clear, {"top", "length", "radius", "axis", "out"},
         "Whether vertical stones from top downwards keep CLEAR of all axis points.");
}

void bind_plants(nb::module_& m) {
  kernel(m, "thin_pieces", &thin_pieces,
         {"vertices", "faces", "normals", "materials", "share", "growth", "stoutness", "spindles"},
         "A share of the pieces of a mesh, leaves and straws larger by a growth, others thicker by a stoutness or, as "
         "spindles, one triangle each: vertices, faces, normals and materials.");
  kernel(m, "piece_areas", &piece_areas, {"vertices", "faces"}, "Surface of each piece of a mesh [m²].");
  kernel(m, "wood_tubes", &wood_tubes, {"points", "radii", "corners"},
         "Tubes round limbs of points [m] and radii [m], whose rings have corners (cos, sin): vertices, faces, normals.");
}

}  // namespace

void bind_generate(nb::module_& m) {
  m.doc() = "Kernels of worlds that are made by numbers.";
  bind_cave(m);
  bind_plants(m);
  kernel(m, "sample_sites", &sample_sites, {"seed", "layer", "cell", "i0", "j0", "rows", "x", "y", "draws"},
         "One candidate somewhere in every cell of a grid, with random numbers of its own.");
  kernel(m, "prune_sites", &prune_sites, {"x", "y", "space", "rank", "rounds", "keep"},
         "Which sites stay, the higher rank first, so that two are the mean of their space apart [m]; x must ascend.");
  kernel(m, "nearest_sites", &nearest_sites, {"x", "y", "other_x", "other_y", "radius", "out"},
         "Distance of each point to the nearest other, less that one's radius [m].");
}

}  // namespace volery
