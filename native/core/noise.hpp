// Seeded gradient noise and integer hashes: pure functions of place. Coordinates are doubles, since single precision
// grows steps 100 km from home.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>

namespace volery {

// The finaliser of splitmix64: every input bit reaches every output bit.
inline std::uint64_t mix_bits(std::uint64_t h) {
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
  return h ^ (h >> 31);
}

// 64 random bits that belong to an integer cell and a seed.
inline std::uint64_t hash_cell(std::int64_t seed, std::int64_t i, std::int64_t j, std::int64_t k) {
  std::uint64_t h = mix_bits(std::uint64_t(seed) + 0x9E3779B97F4A7C15u);
  h = mix_bits(h ^ (std::uint64_t(i) * 0xD6E8FEB86659FD93u));
  h = mix_bits(h ^ (std::uint64_t(j) * 0xA0761D6478BD642Fu));
  return mix_bits(h ^ (std::uint64_t(k) * 0xE7037ED1A0B428DBu));
}

// A number in [0, 1) that belongs to an integer cell and a seed.
inline double uniform_cell(std::int64_t seed, std::int64_t i, std::int64_t j, std::int64_t k) {
  return double(hash_cell(seed, i, j, k) >> 11) * (1.0 / 9007199254740992.0);
}

double perlin2(double x, double y, std::int64_t seed);            // within ±0.71, zero at whole numbers
double perlin3(double x, double y, double z, std::int64_t seed);  // within ±1

}  // namespace volery
