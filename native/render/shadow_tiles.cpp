#include "render/shadow_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "core/pool.hpp"
#include "render/instances.hpp"
#include "render/placed_cluster.hpp"

namespace volery {
namespace {

using namespace shadow_map;

constexpr std::int64_t ROWS_AT_ONCE = 1024, AREA = EDGE * EDGE, DRAWN = AREA + RasterTarget::MARGIN;
constexpr double LOW = 0.5;  // what is smaller throws no shadow on such a map [texels]
constexpr float NOTHING = -std::numeric_limits<float>::infinity();
// Names in a tile: of two at one height what is solid counts. What is buried is the inside of earth or of a thing, seen
// from within: light that would have to come out of it has come through rock.
constexpr std::uint32_t SOLID = 0, LEAF = 1, BURIED = 2;
constexpr float NO_LIGHT = 1e5f;  // height [m] of the first surface where all below is dark

struct Footprint {  // a circle on the map [m]
  double u, v, radius;
  double size;  // of the box round the thing
  std::int32_t row;
};

struct Tile {
  double texel;     // [m]
  double u, v;      // of the middle of its first texel [m]
  bool touches(double at_u, double at_v, double radius) const {
    const double size = texel * EDGE, reach = radius + texel;
    return at_u + reach > u && at_u - reach < u + size && at_v + reach > v && at_v - reach < v + size;
  }
};

class TileDrawer {
 public:
  TileDrawer(ClusterTable& clusters, const SurfaceTable& surfaces, const Vec3d& origin_W, const Mat3d& basis,
             double texel, double detail)
      : clusters_(clusters), surfaces_(surfaces), origin_W_(origin_W), basis_(basis), texel_(texel), detail_(detail) {
    find_footprints();
  }

  Tile tile(const std::int64_t* key) const {
    need(0 <= key[0] && key[0] < LEVELS, "tiles: there is no such level");
    const double texel = std::ldexp(texel_, int(key[0]));
    const auto first = [&](std::int64_t index) { return (double(index * TEXELS - BORDER) + 0.5) * texel; };
    return {texel, first(key[1]), first(key[2])};
  }

  void draw(const Tile& tile, float* height, std::uint32_t* kind) const {
    std::fill_n(height, AREA, NOTHING);
    for (const Footprint& f : footprints_)
      if (f.size > LOW * tile.texel && tile.touches(f.u, f.v, f.radius)) draw_instance(tile, f.row, {height, kind});
  }

 private:
  void find_footprints() {
    const std::vector<std::int32_t>& rows = clusters_.rows();
    footprints_.resize(rows.size());
    parallel_ranges(std::int64_t(rows.size()), ROWS_AT_ONCE, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t k = first; k < last; ++k) {
        const Posed& X_W = clusters_.scene().X_W(rows[k]);
        const Sphere own = clusters_.of_row(rows[k]).around();
        const Vec3d at = basis_ * (X_W * own.middle - origin_W_);
        const bool stands = !surfaces_.moves(rows[k]);
        const double size = stands ? 2.0 * own.radius * norm(X_W.R().column(0)) : 0.0;
        footprints_[k] = {at.x, at.y, own.radius * largest_scale(X_W), size, rows[k]};
      }
    });
  }

  // From an instance's frame to the tile: column and row [texels], and height [m].
  Posed pose_in_tile(const Tile& tile, const Posed& X_W) const {
    const Mat3d R = basis_ * X_W.R();
    const Vec3d p = basis_ * (X_W.p() - origin_W_);
    const double scale[3] = {1.0 / tile.texel, 1.0 / tile.texel, 1.0}, from[3] = {tile.u, tile.v, 0.0};
    Posed X;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) X.m[i][j] = R(i, j) * scale[i];
      X.m[i][3] = (p[i] - from[i]) * scale[i];
    }
    return X;
  }

  void draw_instance(const Tile& tile, std::int32_t row, RasterTarget target) const {
    const MeshView& mesh = clusters_.scene().mesh(row);
    const Posed& X_W = clusters_.scene().X_W(row);
    const bool deforms = clusters_.of_row(row).deforms;
    const int level = deforms ? 0 : coarsest_level(mesh, detail_ * tile.texel / norm(X_W.R().column(0)));
    const LevelClusters& clusters = clusters_.cut(row, level);
    const Posed X_T = pose_in_tile(tile, X_W);
    const double scale = largest_scale(X_W) / tile.texel;
    for (std::int64_t k = 0; k < clusters.clusters(); ++k) {
      const Sphere& s = clusters.spheres[k];
      const Vec3d at = X_T * s.middle;
      const double reach = s.radius * scale + 1.0;
      if (at.x + reach > 0 && at.x - reach < EDGE && at.y + reach > 0 && at.y - reach < EDGE)
        draw_cluster(mesh, clusters, k, X_T, target);
    }
  }

  // Columns of the rasteriser are texels along the second axis, which are neighbours in memory.
  void draw_cluster(const MeshView& mesh, const LevelClusters& clusters, std::int64_t k, const Posed& X_T,
                    RasterTarget target) const {
    constexpr RasterExtent TILE{EDGE, 0, EDGE};
    const int count = clusters.triangles_in(k);
    const std::int32_t* faces = &clusters.order[k * CLUSTER];
    alignas(32) float gathered[9 * CLUSTER];
    if (clusters.corners.empty()) gather_corners(mesh, faces, count, gathered);
    const float* corners = clusters.corners.empty() ? gathered : clusters.corners_of(k);
    PlacedCluster at(count);
    for (int c = 0; c < 3; ++c) {
      float* const to[3] = {at.w[c], at.u[c], at.value[c]};
      at.move(corners + 3 * c * CLUSTER, X_T, to);
    }
    at.find_bounds(TILE);
    at.find_single();
    // Which way round corners go that are seen from outside; 0: the mesh has no inside.
    const Mat3d R = X_T.R();
    const float same = dot(cross(R.column(0), R.column(1)), R.column(2)) > 0 ? 1.0f : -1.0f;
    const float turn = mesh.one_side && mesh.side(0) == 1 ? same : 0.0f;
    for (int t = 0; t < count; ++t) {
      if (at.state[t] == PlacedCluster::OUT) continue;
      const float area = (at.w[1][t] - at.w[0][t]) * (at.u[2][t] - at.u[0][t]) -
                         (at.u[1][t] - at.u[0][t]) * (at.w[2][t] - at.w[0][t]);
      const bool leaf = surfaces_.material(surfaces_.material_of(mesh, faces[t])).thin > 0;
      const std::uint32_t name = leaf ? LEAF : turn * area < 0 ? BURIED : SOLID;
      if (at.state[t] == PlacedCluster::ONE)
        at.draw_one(t, TILE, name, target);
      else
        at.draw_few(t, TILE, name, target);
    }
  }

  ClusterTable& clusters_;
  const SurfaceTable& surfaces_;
  Vec3d origin_W_;
  Mat3d basis_;
  double texel_, detail_;
  std::vector<Footprint> footprints_;
};

// Sums over a square of 2·BLUR + 1 texels round each but those of the rim.
void sum_squares(const std::vector<double>& in, std::vector<double>& out) {
  constexpr int SIZE = 2 * BLUR + 1, INNER = EDGE - 2 * BLUR;
  std::vector<double> along(EDGE * INNER);
  for (int i = 0; i < EDGE; ++i)
    for (int j = 0; j < INNER; ++j) {
      double total = 0;
      for (int k = 0; k < SIZE; ++k) total += in[i * EDGE + j + k];
      along[i * INNER + j] = total;
    }
  for (int i = 0; i < INNER; ++i)
    for (int j = 0; j < INNER; ++j) {
      double total = 0;
      for (int k = 0; k < SIZE; ++k) total += along[(i + k) * INNER + j];
      out[i * INNER + j] = total;
    }
}

// The lowest of a texel and of those within `reach` of it; no roof if there is a leaf anywhere in its square.
double lowest_round(const std::vector<double>& roof, int i, int j, int reach) {
  double least = roof[i * EDGE + j];
  for (int k = -BLUR; k <= BLUR; ++k)
    for (int l = -BLUR; l <= BLUR; ++l) {
      const double other = roof[(i + k) * EDGE + j + l];
      if (other == NO_ROOF) return NO_ROOF;
      if (std::max(std::abs(k), std::abs(l)) <= reach) least = std::min(least, other);
    }
  return least;
}

// Heights as their mean and variance over a square of neighbours, and the lowest near by; the rim is left out.
// Leaves are no roof: some light always finds a way past them.
void blur(const float* height, const std::uint32_t* kind, int reach, float* out) {
  constexpr int SIZE = 2 * BLUR + 1, INNER = EDGE - 2 * BLUR;
  constexpr double GROUND = -2000.0;  // [m], where a whole tile is empty
  double lowest = std::numeric_limits<double>::infinity();
  for (int n = 0; n < AREA; ++n)
    if (height[n] > NOTHING) lowest = std::min(lowest, double(height[n]));
  // Where there is nothing at all, the world ends: as if its ground went on.
  const double ground = std::isinf(lowest) ? GROUND : lowest;
  std::vector<double> h(AREA), square(AREA), roof(AREA);
  double middle = 0;
  for (int n = 0; n < AREA; ++n) h[n] = height[n] > NOTHING ? double(height[n]) : ground, middle += h[n];
  middle /= AREA;
  for (int n = 0; n < AREA; ++n) {
    roof[n] = height[n] > NOTHING && kind[n] == LEAF ? NO_ROOF : h[n];
    h[n] -= middle, square[n] = h[n] * h[n];
  }
  std::vector<double> sum(INNER * INNER), squares(INNER * INNER);
  sum_squares(h, sum);
  sum_squares(square, squares);
  for (int i = 0; i < INNER; ++i)
    for (int j = 0; j < INNER; ++j) {
      const int n = i * INNER + j;
      float* texel = out + ((i + BLUR) * EDGE + j + BLUR) * SKY_CHANNELS;
      const double mean = sum[n] / (SIZE * SIZE);
      texel[0] = float(mean + middle);
      texel[1] = float(std::max(squares[n] / (SIZE * SIZE) - mean * mean, 0.0));
      texel[2] = float(lowest_round(roof, i + BLUR, j + BLUR, reach));
    }
}

void check(Array<const std::int64_t, -1, 3> tiles, Array<const std::int64_t, -1> numbers, std::int64_t room,
           double texel, double detail) {
  need_size(numbers, tiles.size(), "numbers");
  need(texel > 0, "texel: must be above 0");
  need(detail >= 0, "detail: must not be below 0");
  for (const std::int64_t number : numbers) need(0 <= number && number < room, "numbers: there is no such tile");
}

}  // namespace

void draw_sun_tiles(ClusterTable& clusters, const SurfaceTable& surfaces, Array<const double, 3> origin_W,
                    Array<const double, 3, 3> basis, double texel, double detail, Array<const std::int64_t, -1, 3> tiles,
                    Array<const std::int64_t, -1> numbers, Array<float, -1, EDGE, EDGE> pool) {
  check(tiles, numbers, pool.size(), texel, detail);
  const TileDrawer drawer(clusters, surfaces, vec3(origin_W.data), mat3(basis.data), texel, detail);
  parallel_blocks(tiles.size(), [&](std::int64_t k) {
    std::vector<float> height(DRAWN);
    std::vector<std::uint32_t> kind(DRAWN);
    drawer.draw(drawer.tile(tiles[k]), height.data(), kind.data());
    float* out = pool[numbers[k]];
    for (int n = 0; n < AREA; ++n) out[n] = height[n] > NOTHING && kind[n] == BURIED ? NO_LIGHT : height[n];
  });
}

void draw_sky_tiles(ClusterTable& clusters, const SurfaceTable& surfaces, Array<const double, 3> origin_W,
                    Array<const double, 3, 3> basis, double texel, double detail, Array<const std::int64_t, -1, 3> tiles,
                    Array<const std::int64_t, -1> numbers, Array<float, -1, EDGE, EDGE, SKY_CHANNELS> pool) {
  check(tiles, numbers, pool.size(), texel, detail);
  const TileDrawer drawer(clusters, surfaces, vec3(origin_W.data), mat3(basis.data), texel, detail);
  // Seen aslant, the next texel may lie beyond a wall, and its light would leak through; from overhead, the foot of a wall
  // would be dark without it.
  const int reach = mat3(basis.data)(2, 2) > 0.99 ? 1 : 0;
  parallel_blocks(tiles.size(), [&](std::int64_t k) {
    std::vector<float> height(DRAWN);
    std::vector<std::uint32_t> kind(DRAWN);
    drawer.draw(drawer.tile(tiles[k]), height.data(), kind.data());
    blur(height.data(), kind.data(), reach, pool[numbers[k]]);
  });
}

}  // namespace volery
