#include "craft/allocation.hpp"

#include <algorithm>
#include <array>

namespace volery::craft {
namespace {

constexpr int rounds = 3;         // Newton's steps: vanes act by the outflow, so effects are not linear
constexpr double small = 1e-3;    // change of an effort by which its effect is found, as a share of its range
constexpr int most_efforts = 3 * most_fans + most_vanes;

using Four = std::array<double, 4>;  // lift, roll, pitch, yaw

// Efforts in one row: thrusts, angles of vanes, tilts.
struct Shares {
  const Craft& craft;
  const Vec3d& centre_B;
  const Flow& flow;
  int fans = craft.fan_count(), vanes = craft.vane_count(), count = vanes + 3 * fans;
  double share[most_efforts] = {}, range[most_efforts] = {}, least[most_efforts] = {};
  Four effect[most_efforts] = {};

  void begin(double lift);
  Efforts spread() const;
  Four given() const;
  void find_effects(const Four& now);
  void least_change(const Four& missing, double* change) const;
  void clip();
  double room(const double* change) const;
};

void Shares::begin(double lift) {
  double lifting = 0.0;
  std::fill(least, least + count, -1.0);
  for (int k = 0; k < fans; ++k) {
    const Fan& f = craft.fans[k];
    range[k] = f.most;
    least[k] = f.least / f.most;
    range[fans + vanes + 2 * k] = range[fans + vanes + 2 * k + 1] = f.most_tilt;
    lifting += f.most * std::max(f.axis_B.z, 0.0);
  }
  for (int j = 0; j < vanes; ++j) range[fans + j] = craft.vanes[j].most;
  for (int k = 0; k < fans; ++k) share[k] = lift / lifting * std::max(craft.fans[k].axis_B.z, 0.0);
  clip();
}

void Shares::clip() {
  for (int c = 0; c < count; ++c) share[c] = std::min(std::max(share[c], least[c]), 1.0);
}

Efforts Shares::spread() const {
  Efforts out;
  for (int k = 0; k < fans; ++k) {
    out.thrust[k] = share[k] * range[k];
    for (int i = 0; i < 2; ++i) {
      const int c = fans + vanes + 2 * k + i;
      out.tilt[k][i] = share[c] * range[c];
    }
  }
  for (int j = 0; j < vanes; ++j) out.angle[j] = share[fans + j] * range[fans + j];
  return out;
}

Four Shares::given() const {
  const auto [force, torque] = wrench(craft, spread(), flow);
  const Vec3d about = torque - cross(centre_B, force);
  return {force.z, about.x, about.y, about.z};
}

void Shares::find_effects(const Four& now) {
  for (int c = 0; c < count; ++c) {
    effect[c] = {};
    if (range[c] == 0.0) continue;
    share[c] += small;
    const Four other = given();
    share[c] -= small;
    for (int i = 0; i < 4; ++i) effect[c][i] = (other[i] - now[i]) / small;
  }
}

// The least change of shares that gives what is missing: Eᵀ(EEᵀ)⁻¹·missing.
void Shares::least_change(const Four& missing, double* change) const {
  double square[4][5] = {};
  for (int i = 0; i < 4; ++i) {
    for (int c = 0; c < count; ++c)
      for (int j = 0; j < 4; ++j) square[i][j] += effect[c][i] * effect[c][j];
    // Rows without any effect, such as vanes without outflow, must not divide by nothing
    square[i][i] += 1e-9;
    square[i][4] = missing[i];
  }
  for (int i = 0; i < 4; ++i)
    for (int r = i + 1; r < 4; ++r) {
      const double factor = square[r][i] / square[i][i];
      for (int j = i; j < 5; ++j) square[r][j] -= factor * square[i][j];
    }
  for (int i = 3; i >= 0; --i) {
    for (int j = i + 1; j < 4; ++j) square[i][4] -= square[i][j] * square[j][4];
    square[i][4] /= square[i][i];
  }
  for (int c = 0; c < count; ++c) {
    change[c] = 0.0;
    for (int i = 0; i < 4; ++i) change[c] += effect[c][i] * square[i][4];
  }
}

// How much of a change, 0 to 1, no effort is at its end by.
double Shares::room(const double* change) const {
  double part = 1.0;
  for (int c = 0; c < count; ++c) {
    if (share[c] + change[c] > 1.0) part = std::min(part, (1.0 - share[c]) / change[c]);
    else if (share[c] + change[c] < least[c]) part = std::min(part, (least[c] - share[c]) / change[c]);
  }
  return std::max(part, 0.0);
}

}  // namespace

Efforts allocate(const Craft& craft, const Vec3d& centre_B, const Wanted& wanted, const Flow& flow) {
  Shares shares{.craft = craft, .centre_B = centre_B, .flow = flow};
  shares.begin(wanted.lift);
  const Four goal{wanted.lift, wanted.torque.x, wanted.torque.y, wanted.torque.z};
  double change[most_efforts];
  for (int round = 0; round < rounds; ++round) {
    const Four now = shares.given();
    shares.find_effects(now);
    shares.least_change({goal[0] - now[0], goal[1] - now[1], goal[2] - now[2], 0.0}, change);
    for (int c = 0; c < shares.count; ++c) shares.share[c] += change[c];
    shares.clip();
    shares.least_change({0.0, 0.0, 0.0, goal[3] - now[3]}, change);
    const double part = shares.room(change);
    for (int c = 0; c < shares.count; ++c) shares.share[c] += part * change[c];
  }
  return shares.spread();
}

}  // namespace volery::craft
