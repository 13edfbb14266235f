#include <cmath>
#include <numbers>

#include "core/noise.hpp"
#include "generate/kernels.hpp"

namespace volery {
namespace {

const double CONE = std::cos(70.0 * (std::numbers::pi / 180.0));  // rays leave within 70° of the vertical
constexpr Vec3d DOWN{0, 0, -1};

bool drips_at(const CaveField& field, const Vec3d& p, std::int64_t own, std::int64_t ray, std::int64_t seed,
              double threshold, Drip& out) {
  const double up = 1.0 - (1.0 - CONE) * uniform_cell(own, ray, 0, 0), level = std::sqrt(1.0 - up * up);
  const double angle = 2.0 * std::numbers::pi * uniform_cell(own, ray, 1, 0);
  const Vec3d d{level * std::cos(angle), level * std::sin(angle), up};
  const double t = field.cast(p, d);
  const Vec3d q = p + t * d;
  const double strength = perlin3(q.x / 6.0, q.y / 6.0, q.z / 6.0, seed) - threshold;
  if (t >= SIGHT || t < 0.3 || strength < 0.0 || field.gradient(q).z > -0.5) return false;
  const double fall = field.cast(q + 0.4 * DOWN, DOWN) + 0.4;
  if (fall >= SIGHT || fall < 0.8) return false;
  const double slope = field.gradient(q + fall * DOWN).z;
  out = {q, q.z - fall, slope, strength, uniform_cell(own, ray, 2, 0), uniform_cell(own, ray, 3, 0)};
  return true;
}

}  // namespace

std::int64_t find_drips(const CaveField& field, Array<const double, -1, 3> sources, Array<const std::int64_t, -1> rays,
                        std::int64_t seed, double threshold, Table<Drip> out) {
  need_size(rays, sources.size(), "rays");
  std::int64_t n = 0;
  for (std::int64_t s = 0; s < sources.size(); ++s) {
    const Vec3d& p = vec3(sources[s]);
    need(norm(p) < 1e15, "sources: must be finite");
    const auto place = [](double v) { return std::int64_t(std::floor(v * 16.0)); };
    const auto own = std::int64_t(hash_cell(seed, place(p.x), place(p.y), place(p.z)) >> 2);
    for (std::int64_t ray = 0; ray < rays[s]; ++ray) {
      need(n < out.size(), "out: has no room for all rays");
      n += drips_at(field, p, own, ray, seed, threshold, out[n]);
    }
  }
  return n;
}

void stones_clear(Array<const double, -1, 3> top, Array<const double, -1> length, Array<const double, -1> radius,
                  Array<const double, -1, 3> axis, Array<bool, -1> out) {
  need_size(length, top.size(), "length");
  need_size(radius, top.size(), "radius");
  need_size(out, top.size(), "out");
  for (std::int64_t n = 0; n < top.size(); ++n) {
    const double z = top(n, 2), foot = z - length[n], near = CLEAR + radius[n];
    out[n] = true;
    for (std::int64_t m = 0; m < axis.size() && out[n]; ++m) {
      const double dx = top(n, 0) - axis(m, 0), dy = top(n, 1) - axis(m, 1);
      const double dz = std::min(std::max(axis(m, 2), foot), z) - axis(m, 2);
      out[n] = !(dx * dx + dy * dy + dz * dz < near * near);
    }
  }
}

}  // namespace volery
