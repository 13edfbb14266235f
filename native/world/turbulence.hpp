// Turbulence without end and without repetition: noise on lattices of many spacings, hashed where it is asked for.
//
// Each size of eddies has a lattice of its own, turned and shifted by the seed. Its nodes carry random vectors; cubic
// B-splines between them give a vector potential, whose curl is the velocity: free of divergence, once differentiable,
// nearly isotropic. How strong each size is makes the spectrum (see volery/world/turbulence.py).
#pragma once
#include <array>
#include <cstdint>

#include "core/arrays.hpp"
#include "core/vec.hpp"

namespace volery {

constexpr int EDDY_SIZES = 16;            // each twice the one before
constexpr double EDDY_SMALLEST = 0.1;     // deviation of the kernel of the smallest [m]
constexpr int EDDY_AXES = 2;              // along the ground, up

using EddyStrengths = std::array<std::array<float, EDDY_SIZES>, EDDY_AXES>;  // [m/s]

// The lattices of one layer of air, which a seed determines.
class Eddies {
 public:
  Eddies(std::int64_t seed, int layer);

  // When the noise of each size is taken: shares of two drawings that follow each other.
  struct Moment {
    std::array<std::uint32_t, EDDY_SIZES> drawing{};
    std::array<float, EDDY_SIZES> now, next;
  };
  Moment moment(const std::array<double, EDDY_SIZES>& rate, double t) const;  // drawings per second; time [s]

  // Velocity [m/s] in W at a place [m] of the carried air; moment: none where eddies last for ever.
  Vec3d velocity(const Vec3d& p, const EddyStrengths& strengths, const Moment* moment) const;

 private:
  template <bool EVOLVING>
  Vec3d sum(const Vec3d& p, const EddyStrengths& strengths, const Moment* moment) const;

  std::array<std::array<double, EDDY_SIZES>, 9> turn_;   // from W to nodes [1/m]
  std::array<std::array<double, EDDY_SIZES>, 3> shift_;  // [1]
  std::array<std::array<float, 9>, EDDY_SIZES> back_;    // rotation from the lattice to W, over the noise's deviation
  std::array<std::uint32_t, EDDY_SIZES> key_;
};

}  // namespace volery
