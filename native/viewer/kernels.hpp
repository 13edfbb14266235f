// Work on triangles for the page.
#pragma once
#include <cstdint>
#include <tuple>

#include "core/arrays.hpp"

namespace volery {

using Places = Array<const float, -1, 3>;         // vertices [m]
using Faces = Array<const std::uint32_t, -1, 3>;  // vertices of each
using Corners = Array<const std::uint32_t, -1>;   // a vertex each; 3 f … 3 f + 2 are those of face f

// Corners made one or parted, normals, areas (corners.cpp)
Made<std::uint32_t> weld(Places vertices);
Made<float, 2> crease_normals(Places vertices, Faces faces, Corners welded, double cosine);
std::tuple<Made<std::uint32_t>, Made<std::int32_t>> part(Corners corners, Array<const std::int64_t, -1> keys,
                                                         std::int64_t count);
Made<double, 2> blend(Corners corners, Array<const double, -1, 3> values, std::int64_t count);
Made<double> areas(Places vertices, Faces faces);

// What is connected, and where it ends; leaves made larger (parts.cpp)
Made<std::int32_t> components(Faces faces, std::int64_t count);
void rims(Faces faces, Array<bool, -1> out);
Made<float, 2> grow(Places vertices, Array<const std::int64_t, -1> start, Array<const std::int64_t, -1> members,
                    double share);

// Fewer triangles: vertices in a cube of a grid become one (clusters.cpp)
std::tuple<Made<std::int32_t>, std::int64_t> cluster(Places vertices, Faces faces, Array<const bool, -1> locked,
                                                     Array<const float, 3> low, double cell);
Made<double, 2> solve_clusters(Places vertices, Faces faces, Array<const std::int32_t, -1> clusters,
                               Array<const double, -1, 3> middle, Array<const bool, -1> locked, double reach);
std::tuple<Made<std::uint32_t, 2>, Made<std::int32_t>> coarse_faces(Faces faces,
                                                                    Array<const std::int32_t, -1> clusters);
Made<double, 2> means(Array<const double, -1, 3> rows, Array<const std::int32_t, -1> clusters, std::int64_t count);

}  // namespace volery
