#include "render/light_sharing.hpp"

#include <algorithm>

namespace volery {
namespace {

constexpr int QUARTERS = BLOCK / 4;
constexpr float ALIKE = 0.97f;        // least cosine between normals
constexpr float NEAR_SQUARE = 0.02f;  // least square of a distance that still counts as near [m²]

void copy_surface(const SurfaceBlock& b, int n, SurfaceBlock& few, int k) {
  few.ray[k] = b.ray[n], few.row[k] = b.row[n], few.material[k] = b.material[n], few.thin[k] = b.thin[n];
  few.x[k] = b.x[n], few.y[k] = b.y[n], few.z[k] = b.z[n], few.away[k] = b.away[n], few.detail[k] = b.detail[n];
  few.nx[k] = b.nx[n], few.ny[k] = b.ny[n], few.nz[k] = b.nz[n];
}

bool alike(const SurfaceBlock& b, int n, const SurfaceBlock& few, int k, float scale) {
  if (few.row[k] != b.row[n] || few.material[k] != b.material[n]) return false;
  const float dx = b.x[n] - few.x[k], dy = b.y[n] - few.y[k], dz = b.z[n] - few.z[k];
  if (!(dx * dx + dy * dy + dz * dz < NEAR_SQUARE + scale * b.away[n] * b.away[n])) return false;
  return b.nx[n] * few.nx[k] + b.ny[n] * few.ny[k] + b.nz[n] * few.nz[k] > ALIKE;
}

}  // namespace

void choose_leaders(const SurfaceBlock& b, std::int64_t first, float angle, SurfaceBlock& few, std::int32_t* member) {
  std::int32_t leader[QUARTERS];
  std::fill_n(leader, QUARTERS, -1);
  const float scale = 16.0f * angle * angle;
  few.count = 0;
  for (int n = 0; n < b.count; ++n) {
    const int i = int(b.ray[n] - first), quarter = (i >> 4) * 4 + ((i >> 3) & 1) * 2 + ((i >> 1) & 1);
    const int k = leader[quarter];
    if (angle > 0 && k >= 0 && alike(b, n, few, k, scale)) {
      member[n] = k;
      continue;
    }
    leader[quarter] = member[n] = few.count;
    copy_surface(b, n, few, few.count++);
  }
}

void spread_sky(const SurfaceBlock& few, const std::int32_t* member, SurfaceBlock& b) {
  for (int n = 0; n < b.count; ++n) b.sky[n] = few.sky[member[n]], b.around[n] = few.around[member[n]];
}

}  // namespace volery
