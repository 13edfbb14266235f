// What robots that drive know of an arena, seen from above. Grids are [nx, ny].
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "autonomy/cells.hpp"
#include "autonomy/kernels.hpp"

namespace volery {
namespace {

constexpr int STACK = 3;                   // taken cells above each other that are no ramp, where the ground is unknown
constexpr std::int64_t HIDDEN = 5;         // cells behind an edge that may not be seen,
constexpr double SLOPE = 0.04;             // and what the ground falls in each of them [m]
constexpr double LOW = 0.2, HIGH = 0.6;    // between these heights over the ground something is in the way [m]
constexpr std::int64_t OWN = 3;            // cells about a robot that hide nothing: it stands there
constexpr int HEARD = 2, MISSED = -1, MOST = 6;  // what an echo tells of cells it may come from, and of those before it

using Heights = Array<const double, -1, -1>;

// The mean of the ground round a cell where none was seen; NaN without any.
double ground_round(Heights height, std::int64_t i, std::int64_t j) {
  double total = 0;
  int count = 0;
  for (auto a = std::max<std::int64_t>(i - 3, 0); a < std::min(i + 4, height.shape[0]); ++a)
    for (auto b = std::max<std::int64_t>(j - 3, 0); b < std::min(j + 4, height.shape[1]); ++b)
      if (!std::isnan(height(a, b))) total += height(a, b), ++count;
  return count ? total / count : std::numeric_limits<double>::quiet_NaN();
}

// Whether the ground is much lower beside a cell, or beyond what the edge hides.
bool breaks_off(Heights height, std::int64_t i, std::int64_t j, double step) {
  if (std::isnan(height(i, j))) return false;
  for (int u = -1; u <= 1; ++u)
    for (int v = -1; v <= 1; ++v)
      for (std::int64_t n = 1; n <= HIDDEN; ++n) {
        const std::int64_t a = i + n * u, b = j + n * v;
        if (a < 0 || a >= height.shape[0] || b < 0 || b >= height.shape[1]) break;
        if (std::isnan(height(a, b))) continue;
        if (height(i, j) - height(a, b) > step + SLOPE * double(n - 1)) return true;
        break;
      }
  return false;
}

// visit(i, j, n) for cells of a grid along a ray in half steps, until it is left or visit says so.
template <class Shape, class F>
void follow(const Shape& shape, double x, double y, double angle, double far, const F& visit) {
  const double dx = std::cos(angle), dy = std::sin(angle);
  const auto steps = std::int64_t(std::min(2 * far, 1e6));
  for (std::int64_t n = 0; n < steps; ++n) {
    const double a = std::floor(x + 0.5 * double(n) * dx), b = std::floor(y + 0.5 * double(n) * dy);
    if (!(0 <= a && a < double(shape[0]) && 0 <= b && b < double(shape[1]))) return;
    if (!visit(std::int64_t(a), std::int64_t(b), n)) return;
  }
}

double wrapped(double angle) {  // to −π … π
  constexpr double turn = 2 * std::numbers::pi;
  double rest = std::fmod(angle + std::numbers::pi, turn);
  if (rest < 0) rest += turn;
  return rest - std::numbers::pi;
}

}  // namespace

void ground_heights(Points points, Point eye, double far, Array<const double, 2> corner, double cell,
                    Array<double, -1, -1> height, Array<double, -1, -1> top) {
  need_alike(height, top, "top: does not have the grid's shape");
  struct Told {
    double least = std::numeric_limits<double>::infinity(), total = 0;
    std::int64_t count = 0;
  };
  std::vector<Told> told(height.count());
  const auto each = [&](const auto& visit) {
    for (std::int64_t n = 0; n < points.size(); ++n) {
      const Vec3d& p = vec3(points[n]);
      const Vec3d d = p - vec3(eye.data);
      const double i = std::floor((p.x - corner[0]) / cell), j = std::floor((p.y - corner[1]) / cell);
      if (d.z > 0.0 || norm2(d) > far * far) continue;
      if (!(0 <= i && i < double(height.shape[0]) && 0 <= j && j < double(height.shape[1]))) continue;
      visit(std::int64_t(i) * height.shape[1] + std::int64_t(j), p.z);
    }
  };
  each([&](std::int64_t at, double z) { told[at].least = std::min(told[at].least, z); });
  each([&](std::int64_t at, double z) {
    double& highest = top.data[at];
    highest = std::isnan(highest) ? z : std::max(highest, z);
    if (z <= told[at].least + GROUND_THICK) told[at].total += z, ++told[at].count;
  });
  for (std::int64_t at = 0; at < height.count(); ++at)
    if (told[at].count > 0) height.data[at] = told[at].total / double(told[at].count);
}

// 1: something stands there or the ground, where one can be sure of it, breaks off; −1: free; 0: nobody knows.
void seen_from_above(Evidence evidence, double bottom, Heights height, Heights sure, double cell, double climbs,
                     Array<std::int8_t, -1, -1> out) {
  const auto [nx, ny, nz] = evidence.shape;
  need(height.shape[0] == nx && height.shape[1] == ny, "height: does not have the window's shape");
  need_alike(height, sure, "sure: does not have the window's shape");
  need_alike(height, out, "out: does not have the window's shape");
  for (std::int64_t i = 0; i < nx; ++i)
    for (std::int64_t j = 0; j < ny; ++j) {
      const bool known = !std::isnan(height(i, j));
      const double ground = known ? height(i, j) : ground_round(height, i, j);
      if (std::isnan(ground)) continue;
      int stack = 0;
      bool free = false;
      for (std::int64_t k = 0; k < nz; ++k) {
        const double z = (bottom + double(k) + 0.5) * cell - ground;
        stack += LOW < z && z < HIGH && evidence(i, j, k) > 0;
        free |= 0.0 < z && z < HIGH && evidence(i, j, k) < 0;
      }
      if (stack >= (known ? 1 : STACK) || breaks_off(sure, i, j, climbs)) out(i, j) = 1;
      else if (free) out(i, j) = -1;
    }
}

void gaze(Array<const double, -1, 3> gazes, Array<const double, -1> turns, double far, Mask blocked,
          Array<bool, -1, -1> looked) {
  need_alike(blocked, looked, "looked: does not have the grid's shape");
  for (std::int64_t g = 0; g < gazes.size(); ++g)
    for (double turn : turns)
      follow(looked.shape, gazes(g, 0), gazes(g, 1), gazes(g, 2) + turn, far, [&](auto i, auto j, auto n) {
        looked(i, j) = true;
        return !(blocked(i, j) && n > 2 * OWN);
      });
}

void seen_behind(Array<const double, -1, 2> starts, Array<const double, -1> turns, double far, Mask panes,
                 Array<bool, -1, -1> out) {
  need_alike(panes, out, "out: does not have the grid's shape");
  for (std::int64_t s = 0; s < starts.size(); ++s)
    for (double turn : turns) {
      bool through = false;
      follow(out.shape, starts(s, 0), starts(s, 1), turn, far, [&](auto i, auto j, auto) {
        if (through && !panes(i, j)) out(i, j) = true;
        through = through || panes(i, j);
        return true;
      });
    }
}

void hear_pane(Array<std::int8_t, -1, -1> votes, Array<const double, 2> start, double yaw, double half_angle,
               double echo, bool pane) {
  need(std::abs(start[0]) < 1e9 && std::abs(start[1]) < 1e9 && std::abs(echo) < 1e9, "start, echo: must be finite");
  const std::int64_t reach = std::int64_t(echo) + 2, si = std::int64_t(start[0]), sj = std::int64_t(start[1]);
  for (auto i = std::max<std::int64_t>(si - reach, 0); i < std::min(si + reach + 1, votes.shape[0]); ++i)
    for (auto j = std::max<std::int64_t>(sj - reach, 0); j < std::min(sj + reach + 1, votes.shape[1]); ++j) {
      const double x = double(i) + 0.5 - start[0], y = double(j) + 0.5 - start[1];
      const double far = std::hypot(x, y), off = std::abs(wrapped(std::atan2(y, x) - yaw));
      if (far > echo + 0.5 || off * far > half_angle * far + 0.5) continue;
      std::int8_t& vote = votes(i, j);
      if (far > echo - 0.5) vote = pane ? std::int8_t(std::min(vote + HEARD, MOST)) : vote;
      else if (off < half_angle && far < echo - 1.0) vote = std::int8_t(std::max(vote + MISSED, 0));
    }
}

void hidden_by(Mask taken, Array<const double, 2> eye, Array<const double, -1, 2> ends, Array<bool, -1> out) {
  need_size(out, ends.size(), "out");
  for (std::int64_t n = 0; n < ends.size(); ++n) {
    const double x = ends(n, 0) - eye[0], y = ends(n, 1) - eye[1], far = std::hypot(x, y);
    // What ends in the pane or beside it is its own frame.
    const std::int64_t steps = far < 1e6 ? 2 * std::int64_t(far) - 3 : 0;
    for (std::int64_t k = 0; k < steps && !out[n]; ++k) {
      const std::int64_t i = cell_index(eye[0] + 0.5 * double(k) * x / far);
      const std::int64_t j = cell_index(eye[1] + 0.5 * double(k) * y / far);
      out[n] = 0 <= i && i < taken.shape[0] && 0 <= j && j < taken.shape[1] && taken(i, j);
    }
  }
}

}  // namespace volery
