#include "core/bind.hpp"
#include "viewer/kernels.hpp"

namespace volery {

void bind_viewer(nb::module_& m) {
  m.doc() = "Kernels of the page: triangles, and fewer in their place.";
  kernel(m, "weld", &weld, {"vertices"}, "For every vertex the first one at the very same place, uint32 [n].");
  kernel(m, "crease_normals", &crease_normals, {"vertices", "faces", "welded", "cosine"},
         "Unit normals of all corners, float32 [3 m, 3]: of the faces round it that meet its own below a crease.");
  kernel(m, "part", &part, {"corners", "keys", "count"},
         "Vertices such that corners at one of so many places with the same key share one: the new vertex of every "
         "corner, uint32 [3 m], and a corner of every new vertex, int32 [k].");
  kernel(m, "blend", &blend, {"corners", "values", "count"},
         "Mean over the corners [3 m] at each place of a value per face [m, 3], float64 [count, 3].");
  kernel(m, "areas", &areas, {"vertices", "faces"}, "Of every face [m²], float64 [m].");
  kernel(m, "components", &components, {"faces", "count"},
         "For each of so many vertices the lowest one that faces connect it with, int32 [count].");
  kernel(m, "rims", &rims, {"faces", "out"}, "Whether each vertex lies on an edge that only one face has, into out.");
  kernel(m, "grow", &grow, {"vertices", "start", "members", "share"},
         "Leaves made larger about their middles so that a share of them covers what all did, float32 [n, 3]. The "
         "vertices of leaf i are members[start[i]:start[i + 1]]; the others stay.");
  kernel(m, "cluster", &cluster, {"vertices", "faces", "locked", "low", "cell"},
         "Vertices of faces in one cube of a grid of this cell [m] become one; locked ones stay alone. The cluster of "
         "each vertex, int32 [n], −1 for those of no face, and their number.");
  kernel(m, "solve_clusters", &solve_clusters, {"vertices", "faces", "clusters", "middle", "locked", "reach"},
         "Where each cluster's vertex best keeps to the planes of its faces (Lindstrom 2000), at most reach [m] from "
         "its middle, float64 [k, 3]; locked ones stay there.");
  kernel(m, "coarse_faces", &coarse_faces, {"faces", "clusters"},
         "Faces between clusters, each but once: uint32 [k, 3], and which of the faces they were, int32 [k].");
  kernel(m, "means", &means, {"rows", "clusters", "count"}, "Mean of the rows of each cluster, float64 [count, 3].");
}

}  // namespace volery
