#pragma once
#include <cstdint>
#include <tuple>

#include "core/arrays.hpp"
#include "core/table.hpp"
#include "generate/cave_field.hpp"

namespace volery {

constexpr double STEP = 1.5;   // length of a worm's step [m]
constexpr double CLEAR = 1.1;  // dripstone keeps this far from every point of a tunnel's axis [m]

struct Drip {           // where it drips
  Vec3d p_W;            // of the ceiling [m]
  double floor;         // height of the floor below [m]
  double slope;         // of the floor: the density's rise upwards
  double strength;      // above the threshold
  double first, second;  // random numbers in [0, 1)
};
VOLERY_TABLE(Drip, p_W, floor, slope, strength, first, second)

Made<double, 2> worm(Array<const double, 3> a, Array<const double, 3> b, Array<const double, 3> low,
                     Array<const double, 3> high, std::int64_t seed);
Made<double> worm_radii(Array<const double, -1, 3> axis, double low, double high, std::int64_t seed);
CaveField cave_field(Table<const CaveCapsule> capsules, Array<const double, 3> low, Array<const double, 3> high,
                     std::int64_t seed);
double cave_cast(const CaveField& field, Array<const double, 3> p, Array<const double, 3> d);
void cave_gradient(const CaveField& field, Array<const double, 3> p, Array<double, 3> out);
Made<double, 3> cave_sample(const CaveField& field, Array<const double, -1> x, Array<const double, -1> y,
                            Array<const double, -1> z, double voxel);
void cave_distances(const CaveField& field, Array<const double, -1, 3> points, Array<const double, -1, 3> around,
                    Array<double, -1> out);
std::tuple<Made<float, 2>, Made<float, 2>, Made<std::uint32_t, 2>> march(Array<const double, -1, -1, -1> density,
                                                                         Array<const std::int8_t, 256, 16> cases,
                                                                         double voxel);
std::int64_t find_drips(const CaveField& field, Array<const double, -1, 3> sources, Array<const std::int64_t, -1> rays,
                        std::int64_t seed, double threshold, Table<Drip> out);
void stones_clear(Array<const double, -1, 3> top, Array<const double, -1> length, Array<const double, -1> radius,
                  Array<const double, -1, 3> axis, Array<bool, -1> out);

using ThinnedPieces = std::tuple<Made<float, 2>, Made<std::uint32_t, 2>, Made<float, 2>, Made<std::uint8_t>>;
ThinnedPieces thin_pieces(Array<const float, -1, 3> vertices, Array<const std::uint32_t, -1, 3> faces,
                          Array<const float, -1, 3> normals, Array<const std::uint8_t, -1> materials, double share,
                          double growth, double stoutness, bool spindles);
Made<double> piece_areas(Array<const float, -1, 3> vertices, Array<const std::uint32_t, -1, 3> faces);
std::tuple<Made<float, 2>, Made<std::uint32_t, 2>, Made<float, 2>> wood_tubes(
    Array<const double, -1, -1, 3> points, Array<const double, -1, -1, -1> radii, Array<const double, -1, 2> corners);

void sample_sites(std::int64_t seed, std::int64_t layer, double cell, std::int64_t i0, std::int64_t j0,
                  std::int64_t rows, Array<double, -1> x, Array<double, -1> y, Array<double, -1, -1> draws);
void prune_sites(Array<const double, -1> x, Array<const double, -1> y, Array<const double, -1> space,
                 Array<const double, -1> rank, std::int64_t rounds, Array<bool, -1> keep);
void nearest_sites(Array<const double, -1> x, Array<const double, -1> y, Array<const double, -1> other_x,
                   Array<const double, -1> other_y, Array<const double, -1> radius, Array<double, -1> out);

}  // namespace volery
