#include "elastic/aero.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace volery::elastic {
namespace {

constexpr double pi = std::numbers::pi;
// Wagner's function: 1 − A1·exp(−B1·s) − A2·exp(−B2·s), s in half chords travelled.
constexpr double A1 = 0.165, A2 = 0.335, B1 = 0.0455, B2 = 0.3;
// Küssner's function, of a gust that the leading edge has met: 1 − ½·exp(−K1·s) − ½·exp(−K2·s).
constexpr double K1 = 0.13, K2 = 1.0;
constexpr double flat = 2.0;    // normal force of a plate square to the flow
constexpr double sharp = 0.05;  // how suddenly the flow lets go [rad]

struct Loads {
  double ahead = 0, upward = 0;  // along x and z of S [N/m]
  double turn = 0;               // nose-up, about mid-chord [N]
  double circulation = 0;        // [m²/s]
};

// u: ahead [m/s]; Q: upwash that makes circulation, lag included, and that at the quarter chord, which lift is square
// to [m/s]; q: nose-up rate [rad/s]; flap [rad].
Loads section_loads(double u, double Q, double upwash, double q, double rho, const Strip& s, double flap) {
  const double b = s.half_chord, speed2 = u * u + Q * Q;
  if (speed2 < 1e-12) return {};
  const double speed = std::sqrt(speed2), angle = std::atan2(Q, u);
  const double lifting = angle - s.zero_lift + s.flap_lift * flap;
  const double held = 0.5 - 0.5 * std::tanh((std::abs(lifting) - s.stall) / sharp);
  const double pressure = rho * speed2 * b;
  const double lift = held * s.slope * lifting * pressure;
  const double plate = (1.0 - held) * flat * std::sin(angle) * pressure;
  // Lift is square to the flow, drag along it; a plate in separated flow is pushed square to itself.
  const double ahead = lift * upwash / speed - s.drag * pressure * u / speed;
  const double upward = lift * u / speed + s.drag * pressure * Q / speed + plate;
  // The plate's centre of pressure moves from near the front to mid-chord, and behind it in reversed flow.
  const double arm = 0.35 * b * (1.0 - 2.0 * std::abs(angle) / pi);
  const double turn =
      0.5 * b * lift * u / speed + arm * plate + 2.0 * b * pressure * held * (s.moment + s.flap_moment * flap);
  const double rate = held * pi * rho * b * b * u * q;
  const double circulation = rho > 0.0 ? (lift + plate * u / speed) / (rho * speed) : 0.0;
  return {ahead, upward + rate, turn - 0.5 * b * rate, circulation};
}

// What the wind's changes have become by Küssner's function, more than by Wagner's, which counts it among the motion.
Vec3d late_gust(const StripAir& air) {
  const Vec3d& w = air.wind_W;
  return 0.5 * (air.gust[2] - w) + 0.5 * (air.gust[3] - w) - A1 * (air.gust[0] - w) - A2 * (air.gust[1] - w);
}

// Let lags follow while the strip travels so many half chords on.
void follow(StripAir& air, double Q, double travelled) {
  const double wagner[2] = {-std::expm1(-B1 * travelled), -std::expm1(-B2 * travelled)};
  for (int k = 0; k < 2; ++k) {
    air.lag[k] += (Q - air.lag[k]) * wagner[k];
    air.gust[k] += wagner[k] * (air.wind_W - air.gust[k]);
  }
  air.gust[2] += -std::expm1(-K1 * travelled) * (air.wind_W - air.gust[2]);
  air.gust[3] += -std::expm1(-K2 * travelled) * (air.wind_W - air.gust[3]);
}

void add_loads(const Bodies& bodies, const Strip& s, StripAir& air, double flap, double dt) {
  const Mat3d R_WS = bodies.R_WB(s.body) * s.R_BS;
  const Vec3d x = R_WS.column(0), y = R_WS.column(1), z = R_WS.column(2);
  const Vec3d p = bodies.at(s.body, s.p_B), v = bodies.velocity(s.body, p) - air.wind_W;
  const double u = dot(x, v), w = dot(z, v), q = -dot(y, bodies.w_W(s.body)), b = s.half_chord;
  const double Q = 0.5 * b * q - w - air.induced;
  if (dt == 0.0) {
    air.lag[0] = air.lag[1] = Q;
    std::fill(std::begin(air.gust), std::end(air.gust), air.wind_W);
  }
  const double late = (1.0 - A1 - A2) * Q + A1 * air.lag[0] + A2 * air.lag[1] + dot(z, late_gust(air));
  const Loads loads = section_loads(u, late, late + air.induced - air.tilt, q, air.rho, s, flap);
  air.circulation = loads.circulation;
  follow(air, Q, std::sqrt(u * u + w * w) * dt / b);
  const Vec3d force = s.length * (loads.ahead * x + loads.upward * z);
  // A motion that blew up must not spread: MuJoCo adds forces up over all bodies.
  if (std::isfinite(force.x + force.y + force.z + loads.turn))
    bodies.push(s.body, p, force, -s.length * loads.turn * y);
}

}  // namespace

void add_strip_loads(const Bodies& bodies, const std::vector<Strip>& strips, Table<StripAir> air,
                     Array<const double, -1> flaps, double dt) {
  for (std::size_t s = 0; s < strips.size(); ++s)
    add_loads(bodies, strips[s], air[s], strips[s].control >= 0 ? flaps[strips[s].control] : 0.0, dt);
}

}  // namespace volery::elastic
