// From roll, pitch, yaw and throttle to a throttle of each rotor.
#pragma once
#include "multirotor/block.hpp"

namespace volery {

template <class L>
struct Turning {
  Vec3<L> group;  // roll, pitch, yaw [share of throttle]
  L throttle;
};

// Of N rotors, 4 or 8. Those that are not there have no weights: they count as 0, which bounds nothing.
template <int N, class L>
void weigh(const DroneParameters& p, const Vec3<L>& g, L throttle, L (&u)[N]) {
  for (int i = 0; i < N; ++i)
    u[i] = p.mix[i][0] * g.x + p.mix[i][1] * g.y + p.mix[i][2] * g.z + p.mix[i][3] * throttle;
}

template <int N, class L>
L sum_of(const L (&u)[N]) {
  L total = u[0] + u[1] + u[2] + u[3];
  if constexpr (N == 8) total = total + (u[4] + u[5] + u[6] + u[7]);
  return total;
}

// If a throttle would leave 0 to 1, turning yields to lifting: a factor on turning, a shift, and a factor on all.
template <int N, class L>
void mix_rotors(const DroneParameters& p, const Turning<L>& want, L (&goal)[most_rotors]) {
  constexpr double little = 0.01;  // at lower throttles there is nothing that turning could yield to
  L u[N];
  weigh(p, want.group, want.throttle, u);
  L low = u[0], high = u[0];
  for (int i = 1; i < N; ++i) low = least(low, u[i]), high = most(high, u[i]);
  const L mean = sum_of(u) * (1.0 / double(p.rotors)), shift = most(-low, L(0.0));
  const auto over = high + shift > L(1.0), lifting = want.throttle > L(little);
  const L turning = select(over & lifting, want.throttle / (mean + shift), L(1.0));
  const L whole = select(over & !lifting, L(1.0) / (high + shift), L(1.0));
  const L lifted = select(over & lifting, L(0.0), shift);
  weigh(p, want.group * turning, want.throttle, u);
  for (int i = 0; i < N; ++i) goal[i] = within((u[i] + lifted) * whole, L(0.0), L(1.0));
}

template <class L>
void mix(const DroneParameters& p, const Turning<L>& want, L (&goal)[most_rotors]) {
  if (p.rotors <= 4) mix_rotors<4>(p, want, goal);
  else mix_rotors<8>(p, want, goal);
}

}  // namespace volery
