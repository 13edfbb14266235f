// Small flat things strewn over the ground, such as fallen leaves and blades of grass: one in each cell of a grid, the
// upper ones over the lower ones. A pure function of place.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/vec.hpp"

namespace volery {

struct FlakeShape {
  float cell;           // edge of the grid's cells [m]
  float length, width;  // half of them, in cells; at most 1
};

struct Flake {
  bool there = false;
  float tone = 0, hue = 0;  // numbers of its own, 0 to 1
  float rim = 0;            // 0 at its edge, 1 in the middle
  Vec3f slope{};            // how it leans and is folded along its length
};

inline std::uint32_t cell_hash(std::int32_t i, std::int32_t j) {
  std::uint32_t x = std::uint32_t(i) * 0x9E3779B1u ^ std::uint32_t(j) * 0x85EBCA77u;
  x = (x ^ (x >> 15)) * 0x2C1B3C6Du;
  x = (x ^ (x >> 12)) * 0x297A2D39u;
  return x ^ (x >> 15);
}

inline const std::array<Vec3f, 64>& flake_directions() {
  static const auto all = [] {
    std::array<Vec3f, 64> made;
    for (int k = 0; k < 64; ++k) {
      const double turn = k * std::numbers::pi / 32;
      made[k] = {float(std::cos(turn)), float(std::sin(turn)), 0};
    }
    return made;
  }();
  return all;
}

// The uppermost at a place [m] of the plane.
inline Flake flake_at(const FlakeShape& shape, double x, double y) {
  const double u = x / shape.cell, v = y / shape.cell, fu = std::floor(u), fv = std::floor(v);
  const std::int32_t i = std::int32_t(std::int64_t(fu)), j = std::int32_t(std::int64_t(fv));
  const float px = float(u - fu), py = float(v - fv);
  Flake top;
  std::uint32_t highest = 0;
  for (int di = -1; di <= 1; ++di)
    for (int dj = -1; dj <= 1; ++dj) {
      const std::uint32_t h = cell_hash(i + di, j + dj);
      if (h <= highest) continue;  // its upper bits say how high it lies
      const float dx = px - float(di) - float(h & 255) * (1 / 255.0f);
      const float dy = py - float(dj) - float((h >> 8) & 255) * (1 / 255.0f);
      const Vec3f& along = flake_directions()[(h >> 5) & 63];
      const float t = (dx * along.x + dy * along.y) / shape.length, s = (dy * along.x - dx * along.y) / shape.width;
      const float rim = 1.0f - t * t - std::abs(s);
      if (rim <= 0) continue;
      highest = h;
      const float fold = s > 0 ? 0.35f : -0.35f, lean = float((h >> 11) & 15) * (1 / 15.0f) - 0.5f;
      top = {true, float((h >> 16) & 255) * (1 / 255.0f), float((h >> 3) & 255) * (1 / 255.0f), rim,
             {lean * along.x - fold * along.y, lean * along.y + fold * along.x, 0}};
    }
  return top;
}

}  // namespace volery
