#include "world/turbulence.hpp"

#include <cmath>

#include "core/noise.hpp"

namespace volery {
namespace {

constexpr int LANES = 8;
typedef float Floats __attribute__((vector_size(32)));
typedef std::uint32_t Bits __attribute__((vector_size(32)));
typedef std::int32_t Whole __attribute__((vector_size(32)));

constexpr std::uint32_t STEP_X = 0x9E3779B1u, STEP_Y = 0x85EBCA77u, STEP_Z = 0xC2B2AE3Du, STEP_T = 0x27D4EB2Fu;
// Over the deviation of ∂B/∂y·a of unit lattices, a of 32 bits: ∫B² = 151/315, ∫B'² = 2/3, two such terms a component.
const double UNIT = 1.0 / (std::sqrt(2 * (2.0 / 3) / 12) * (151.0 / 315) * 4294967296.0);
const double SPACING = std::sqrt(3.0);  // of the nodes, over the deviation of a cubic B-spline

// Bits that look independent of those of any other x (32 bits, two rounds).
template <class T>
inline T mix(T x) {
  x ^= x >> 16;
  x *= 0x7FEB352Du;
  x ^= x >> 15;
  x *= 0x846CA68Bu;
  return x ^ (x >> 16);
}

std::uint32_t low_bits(double whole) { return std::abs(whole) < 9e18 ? std::uint32_t(std::int64_t(whole)) : 0u; }

// Cubic B-spline at the four nodes around a point, then its derivative; f: way from the second to the third.
inline Floats spline(float f) {
  constexpr Floats c0 = {1 / 6.f, 4 / 6.f, 1 / 6.f, 0, -0.5f, 0, 0.5f, 0}, c1 = {-0.5f, 0, 0.5f, 0, 1, -2, 1, 0};
  constexpr Floats c2 = {0.5f, -1, 0.5f, 0, -0.5f, 1.5f, -1.5f, 0.5f};
  constexpr Floats c3 = {-1 / 6.f, 0.5f, -0.5f, 1 / 6.f, 0, 0, 0, 0};
  return ((c3 * f + c2) * f + c1) * f + c0;
}

inline Floats floats(Bits x) { return __builtin_convertvector(Whole(x), Floats); }

inline float total(Floats v) { return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])); }

struct Shares {  // of the drawing `from` and of the next
  std::uint32_t from;
  float now, next;
};

// Curl of the potential of one lattice, by lanes that are still to be added: four nodes in x, two rows in y.
template <bool EVOLVING>
[[gnu::always_inline]] inline void curl(const double (&place)[3], std::uint32_t key, const Shares& shares,
                                        Floats (&v)[3]) {
  double whole[3];
  Floats w[3];
  for (int a = 0; a < 3; ++a) whole[a] = std::floor(place[a]), w[a] = spline(float(place[a] - whole[a]));
  constexpr Bits lane_x = {0, 1, 2, 3, 0, 1, 2, 3}, lane_row = {0, 0, 0, 0, 1, 1, 1, 1};
  const Bits column = (low_bits(whole[0]) + lane_x) * STEP_X;
  // Keys of the sixteen rows: [z][y]
  const Bits along_y = (low_bits(whole[1]) + lane_x) * STEP_Y;
  Bits rows[2];
  for (int half = 0; half < 2; ++half)
    rows[half] = mix(mix((low_bits(whole[2]) + 2 * half + lane_row) * STEP_Z ^ key) + along_y);
  Floats sum[2][3] = {}, slope[2][3] = {};  // over z: potential, and its derivative by z
#pragma GCC unroll 4
  for (int z = 0; z < 4; ++z) {
    const Floats in = w[2][z] + Floats{}, d = w[2][4 + z] + Floats{};
#pragma GCC unroll 2
    for (int q = 0; q < 2; ++q) {
      const std::uint32_t a = 4 * (z & 1) + 2 * q, b = a + 1;
      const Bits cell = __builtin_shuffle(rows[z >> 1], Bits{a, a, a, a, b, b, b, b}) + column;
      const auto add = [&](int axis, Floats noise) {
        sum[q][axis] += in * noise;
        slope[q][axis] += d * noise;
      };
      if constexpr (EVOLVING) {
        const Bits first = mix(cell + shares.from), next = mix(cell + (shares.from + STEP_T));
        add(0, shares.now * floats(first) + shares.next * floats(next));
        add(1, shares.now * floats(first << 11) + shares.next * floats(next << 11));
        add(2, shares.now * floats(first << 22) + shares.next * floats(next << 22));
      } else {
        const Bits drawn = mix(cell);
        add(0, floats(drawn));
        add(1, floats(drawn << 11));
        add(2, floats(drawn << 22));
      }
    }
  }
  const Floats wx = __builtin_shuffle(w[0], Bits{0, 1, 2, 3, 0, 1, 2, 3});
  const Floats dx = __builtin_shuffle(w[0], Bits{4, 5, 6, 7, 4, 5, 6, 7});
  for (Floats& lanes : v) lanes = Floats{};
#pragma GCC unroll 2
  for (std::uint32_t q = 0; q < 2; ++q) {
    const std::uint32_t a = 2 * q, b = a + 1;
    const Floats wy = __builtin_shuffle(w[1], Bits{a, a, a, a, b, b, b, b});
    const Floats dy = __builtin_shuffle(w[1], Bits{a + 4, a + 4, a + 4, a + 4, b + 4, b + 4, b + 4, b + 4});
    const Floats both = wx * wy, by_x = dx * wy, by_y = wx * dy;
    v[0] += by_y * sum[q][2] - both * slope[q][1];
    v[1] += both * slope[q][0] - by_x * sum[q][2];
    v[2] += by_x * sum[q][1] - by_y * sum[q][0];
  }
}

}  // namespace

Eddies::Eddies(std::int64_t seed, int layer) {
  for (int n = 0; n < EDDY_SIZES; ++n) {
    const auto draw = [&](int k) { return uniform_cell(seed, layer, n, k); };
    key_[n] = std::uint32_t(hash_cell(seed, layer, n, 0));
    // A rotation by a quaternion from within the unit ball: all rotations alike, and no function of a libm
    double q[4], length = 0.0;
    for (int k = 1; length < 0.01 || length > 1.0; k += 4) {
      length = 0.0;
      for (int i = 0; i < 4; ++i) q[i] = 2 * draw(k + i) - 1, length += q[i] * q[i];
    }
    const double x = q[1], y = q[2], z = q[3], w = q[0], s = 2 / length;
    const double R[9] = {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
                         s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
                         s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
    const double spacing = SPACING * EDDY_SMALLEST * double(1 << n);
    for (int i = 0; i < 3; ++i) {
      shift_[i][n] = draw(-1 - i);
      for (int j = 0; j < 3; ++j) {
        turn_[3 * i + j][n] = R[3 * i + j] / spacing;
        back_[n][3 * j + i] = float(R[3 * i + j] * UNIT);
      }
    }
  }
}

Eddies::Moment Eddies::moment(const std::array<double, EDDY_SIZES>& rate, double t) const {
  Moment made;
  for (int n = 0; n < EDDY_SIZES; ++n) {
    const double place = rate[n] * t, whole = std::floor(place), f = place - whole;
    // Shares whose squares add to one, without a kink where one drawing ends
    const double up = f * f * (3 - 2 * f), down = 1 - up, norm = std::sqrt(up * up + down * down);
    made.drawing[n] = low_bits(whole) * STEP_T;
    made.now[n] = float(down / norm), made.next[n] = float(up / norm);
  }
  return made;
}

template <bool EVOLVING>
Vec3d Eddies::sum(const Vec3d& p, const EddyStrengths& strengths, const Moment* moment) const {
  double place[3][EDDY_SIZES];
  for (int i = 0; i < 3; ++i)
    for (int n = 0; n < EDDY_SIZES; ++n)
      place[i][n] = turn_[3 * i][n] * p.x + turn_[3 * i + 1][n] * p.y + turn_[3 * i + 2][n] * p.z + shift_[i][n];
  Floats out[3] = {};
  for (int n = 0; n < EDDY_SIZES; ++n) {
    const float flat = strengths[0][n], up = strengths[1][n];
    if (flat == 0.0f && up == 0.0f) continue;
    Shares shares{};
    if constexpr (EVOLVING) shares = {moment->drawing[n], moment->now[n], moment->next[n]};
    Floats v[3];
    curl<EVOLVING>({place[0][n], place[1][n], place[2][n]}, key_[n], shares, v);
    const auto& R = back_[n];
    for (int i = 0; i < 3; ++i) {
      const float s = i < 2 ? flat : up;
      out[i] += (s * R[3 * i]) * v[0] + (s * R[3 * i + 1]) * v[1] + (s * R[3 * i + 2]) * v[2];
    }
  }
  return {double(total(out[0])), double(total(out[1])), double(total(out[2]))};
}

Vec3d Eddies::velocity(const Vec3d& p, const EddyStrengths& strengths, const Moment* moment) const {
  return moment ? sum<true>(p, strengths, moment) : sum<false>(p, strengths, nullptr);
}

}  // namespace volery
