// Which triangle each pixel of a view sees, found by drawing triangles instead of casting rays.
//
// A ray along d = (1, y, z) in C meets the triangle a b c where d·(b×c), d·(c×a) and d·(a×b) have the same sign as
// a·(b×c), and 1/depth is their sum over that: all of them are linear in y and z, so a triangle is drawn without being
// clipped, and meets the same pixels at the same depth as rays do. Neighbours leave no gap: an edge's number is the
// same, with the other sign, for both. Small triangles, which are most of them, are drawn by the edges of their pictures
// instead (placed_cluster.hpp).
#pragma once
#include <cstdint>
#include <vector>

#include "render/placed_cluster.hpp"
#include "render/view.hpp"

namespace volery {

class Rasteriser {
 public:
  explicit Rasteriser(const View& view);
  // Draw a cluster of `count` triangles, whose corners are as LevelClusters has them, at a pose in C; they are named from
  // `name` on.
  void draw(const float* corners, int count, const Posed& X_C, std::uint32_t name, RasterTarget target) const;
  const std::vector<double>& column_y() const { return ys_; }
  const std::vector<double>& row_z() const { return zs_; }

 private:
  struct Edges {  // coefficients of (1, y, z), positive inside, and 1 / |a·(b×c)|
    Vec3d a, b, c;
    double scale;
  };
  struct Row {  // of pixels inside a triangle: edges e0 + e1·y
    double a0, a1, b0, b1, c0, c1, scale;
  };
  struct Bounds {  // least and greatest column and row
    double left, right, up, down;
  };
  struct Placed;  // a cluster in C
  void draw_triangle(const Vec3f* corners, Bounds at, std::uint32_t name, RasterTarget target) const;
  void fill(const Edges& e, std::int64_t x0, std::int64_t x1, std::int64_t y0, std::int64_t y1, std::uint32_t name,
            RasterTarget target) const;
  void fill_row(const Row& row, std::int64_t x0, std::int64_t x1, std::uint32_t name, RasterTarget target) const;
  void edge_pixels(const Row& row, std::int64_t first, std::int64_t last, std::uint32_t name,
                   RasterTarget target) const;
  void inner_pixels(const Row& row, std::int64_t first, std::int64_t end, std::uint32_t name,
                    RasterTarget target) const;
  void ends(const Row& row, std::int64_t x0, std::int64_t x1, std::int64_t& first, std::int64_t& last) const;
  Bounds cut_bounds(const Vec3f* v) const;

  View view_;
  std::vector<double> ys_, zs_;
};

}  // namespace volery
