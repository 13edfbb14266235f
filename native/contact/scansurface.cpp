#include "contact/scansurface.hpp"

#include <algorithm>
#include <cmath>

namespace volery::contact {
namespace {

constexpr double STEEP = 2;  // height over distance of neighbours, from which on they are not of one surface
constexpr double CUT = 1 / (1 + STEEP * STEEP);
// In distances of the rays: neighbours so far off the line of those before are beyond a crease; patches are taken together
// if no ray is so far off their plane.
constexpr double BENT = 0.1, FLAT = 1e-3;
constexpr int MOST_BLOCK = 10;

struct Slope {
  double b, c;  // height over way along the first and the second axis of the grid
};

// Four corners over an axis' grid: places along the other two axes, and heights.
struct Corners {
  double b[4], c[4], v[4];
};

// The end of a surface beyond a ray.
struct End {
  double v, beyond, v_beyond;  // height at the ray, how far it goes on, height there [m]
};

double square(double x) { return x * x; }

// One map of heights, its rays by index along `across` and along the third axis.
struct View {
  const double* H;
  int n;
  bool first;  // `across` is the first axis of the grid

  double at(int i, int j) const { return first ? H[i * n + j] : H[j * n + i]; }
  // Whether the surface bends between ray i and the next one: that is in line with neither side.
  bool crease(int i, int j, int side, double h) const {
    if (i + 2 * side < 0 || i + 2 * side >= n) return false;
    const double v = at(i, j), ahead = at(i + side, j), step = ahead - v;
    return std::abs(step - v + at(i - side, j)) > BENT * h && std::abs(at(i + 2 * side, j) - ahead - step) > BENT * h;
  }
};

class Scan {
 public:
  Scan(Array<const double, 3, 2, -1, -1> heights, double h) : heights_(heights), h_(h), n_(int(heights.shape[2])) {
    for (int i = 0; i < n_; ++i) grid_.push_back((i - n_ / 2) * h);
    for (int b = 1; b <= MOST_BLOCK; ++b)
      if ((n_ - 1) % b == 0) block_ = b;
  }

  std::vector<Patch> patches() {
    for (int axis = 0; axis < 3; ++axis) {
      for (int sense = 0; sense < 2; ++sense) {
        each_block(axis, sense);
        for (const int turn : {1, 2}) strips(axis, sense, (axis + turn) % 3);
      }
      for (int i = 0; i < n_ - 1; ++i)
        for (int j = 0; j < n_ - 1; ++j) crossing(axis, i, j);
    }
    return std::move(out_);
  }

 private:
  View view(int axis, int sense, int across) const {
    return {&heights_(axis, sense, 0, 0), n_, (axis + 1) % 3 == across};
  }

  // Write a patch by its slopes, if this view of it counts.
  void emit(int axis, const Corners& q, const Slope& slope) {
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    Patch patch;
    const double length = std::sqrt(1 + slope.b * slope.b + slope.c * slope.c);
    patch.normal[axis] = 1 / length, patch.normal[b] = -slope.b / length, patch.normal[c] = -slope.c / length;
    double total = 0;
    for (int k = 0; k < 3; ++k) total += std::max(0.0, square(patch.normal[k]) - CUT);
    patch.share = std::max(0.0, square(patch.normal[axis]) - CUT) / total;
    if (!(patch.share > 0)) return;
    for (int k = 0; k < 4; ++k) {
      Vec3d& corner = patch.corner[k];
      corner[axis] = q.v[k], corner[b] = q.b[k], corner[c] = q.c[k];
    }
    out_.push_back(patch);
  }

  // The patch between the rays (i, j) and (k, m), unless it is twisted or steep.
  void rectangle(int axis, int i, int j, int k, int m, double v00, double v10, double v11, double v01) {
    const Corners q{{grid_[i], grid_[k], grid_[k], grid_[i]},
                    {grid_[j], grid_[j], grid_[m], grid_[m]},
                    {v00, v10, v11, v01}};
    const double wb = grid_[k] - grid_[i], wc = grid_[m] - grid_[j];
    const Slope slope{(v10 - v00 + v11 - v01) / (2 * wb), (v01 - v00 + v11 - v10) / (2 * wc)};
    const double twist = std::abs(v00 + v11 - v10 - v01);
    if (twist <= 0.5 * h_ && !(std::max(std::abs(slope.b), std::abs(slope.c)) > STEEP)) emit(axis, q, slope);
  }

  void each_block(int axis, int sense) {
    for (int i = 0; i < n_ - 1; i += block_)
      for (int j = 0; j < n_ - 1; j += block_) {
        if (flat(axis, sense, i, j)) continue;
        for (int x = i; x < i + block_; ++x)
          for (int y = j; y < j + block_; ++y) square_patch(axis, sense, x, y);
      }
  }

  // The patch between four rays, unless a crease goes through it.
  void square_patch(int axis, int sense, int i, int j) {
    const View b = view(axis, sense, (axis + 1) % 3), c = view(axis, sense, (axis + 2) % 3);
    const int k = i + 1, m = j + 1;
    if (i > 0 && b.crease(i, j, 1, h_) && b.crease(i, m, 1, h_)) return;
    if (j > 0 && c.crease(j, i, 1, h_) && c.crease(j, k, 1, h_)) return;
    rectangle(axis, i, j, k, m, b.at(i, j), b.at(k, j), b.at(k, m), b.at(i, m));
  }

  // The patch of a block of rays that see one plane, the one that fits all of them best: readings are rounded. False:
  // they do not see one plane.
  bool flat(int axis, int sense, int i, int j) {
    const View H = view(axis, sense, (axis + 1) % 3);
    const double middle = 0.5 * block_;
    double mean = 0, slope_b = 0, slope_c = 0, squares = 0;
    for (int x = 0; x <= block_; ++x)
      for (int y = 0; y <= block_; ++y) {
        const double v = H.at(i + x, j + y), b = x - middle, c = y - middle;
        mean += v / square(block_ + 1);
        slope_b += v * b, slope_c += v * c, squares += b * b;
      }
    slope_b /= squares, slope_c /= squares;
    for (int x = 0; x <= block_; ++x)
      for (int y = 0; y <= block_; ++y) {
        const double off = H.at(i + x, j + y) - mean - slope_b * (x - middle) - slope_c * (y - middle);
        if (!(std::abs(off) < FLAT * h_)) return false;
      }
    const double up = middle * slope_b, along = middle * slope_c;
    rectangle(axis, i, j, i + block_, j + block_, mean - up - along, mean + up - along, mean + up + along,
              mean - up + along);
    return true;
  }

  // The patch of four rays at a surface that crosses the plane where they start: of each, the hit nearer to that plane.
  void crossing(int axis, int i, int j) {
    double mixed[2][2];
    int plus = 0;
    for (int x = 0; x < 2; ++x)
      for (int y = 0; y < 2; ++y) {
        const double up = heights_(axis, 0, i + x, j + y), down = heights_(axis, 1, i + x, j + y);
        const bool take_up = !std::isnan(up) && (std::isnan(down) || up <= -down);
        mixed[x][y] = take_up ? up : down;
        if (!(std::abs(mixed[x][y]) <= 2 * STEEP * h_)) return;
        plus += take_up;
      }
    if (plus > 0 && plus < 4) rectangle(axis, i, j, i + 1, j + 1, mixed[0][0], mixed[1][0], mixed[1][1], mixed[0][1]);
  }

  // How far beyond a ray at `at` a surface of height v and slope goes on until it meets what rays along `across` saw
  // beside it; −1: they saw nothing there. All in the plane of index j along the third axis.
  double meeting(int axis, int across, int j, double at, double v, double slope, int side) const {
    const double place = std::floor((v - grid_[0]) / h_);
    if (!(place > -2 && place < n_ + 1)) return -1;
    for (int turn = 0; turn < 4; ++turn) {
      const View other = view(across, turn % 2, axis);
      const int step = turn < 2 ? -1 : 1, k = step < 0 ? int(place) : int(place) + 1;
      if (k < 0 || k >= n_ || k + step < 0 || k + step >= n_) continue;
      const double u = other.at(k, j), far = other.at(k + step, j);
      const bool on_it = std::abs(v + slope * (u - at) - grid_[k]) < 0.1 * h_;
      if (!(std::abs(u - at) <= 3 * h_) || on_it) continue;
      const double r = std::abs(far - u) <= STEEP * h_ ? (far - u) / (step * h_) : 0;
      if (std::abs(1 - r * slope) < 0.1) continue;
      const double beyond = side * ((u + r * (v - slope * at - grid_[k])) / (1 - r * slope) - at);
      if (-1e-6 <= beyond && beyond <= h_ * 1.001) return std::max(beyond, 0.0);
    }
    return -1;
  }

  // Whether there is a jump or crease beyond ray i (index along `across`), and the surface's end there.
  bool edge(int axis, int sense, int across, int i, int j, int side, End& end) const {
    const View H = view(axis, sense, across);
    const double v = H.at(i, j), back = H.at(i - side, j), ahead = H.at(i + side, j);
    const bool jump = !(std::abs(ahead - v) <= STEEP * h_);
    if (!(std::abs(v - back) <= STEEP * h_) || !(jump || H.crease(i, j, side, h_))) return false;
    double beyond = meeting(axis, across, j, grid_[i], v, (v - back) / (side * h_), side);
    if (beyond < 0) {
      beyond = 0.5 * h_;
      if (!jump) {
        // Where the lines of the two sides, both in this view, meet.
        const double rise = v - back, fall = H.at(i + 2 * side, j) - ahead;
        const double meet = rise != fall ? (ahead - fall - v) / (rise - fall) : -1;
        if (0 <= meet && meet <= 1) beyond = meet * h_;
      }
    }
    end = {v, beyond, v + (v - back) / h_ * beyond};
    return true;
  }

  // Patches from the last ray before a jump to the edge.
  void strips(int axis, int sense, int across) {
    for (const int side : {-1, 1})
      for (int i = 1; i < n_ - 1; ++i) {
        End before{}, now{};
        bool known = false;
        for (int j = 0; j < n_; ++j) {
          const bool both = known;
          known = edge(axis, sense, across, i, j, side, now);
          if (both && known) strip(axis, across, i, j, side, before, now);
          before = now;
        }
      }
  }

  void strip(int axis, int across, int i, int j, int side, const End& one, const End& two) {
    if (!(one.beyond + two.beyond > 0) || !(std::abs(two.v - one.v) <= STEEP * h_)) return;
    const double across_slope = (one.v_beyond - one.v + two.v_beyond - two.v) / (side * (one.beyond + two.beyond));
    const double along_slope = (two.v - one.v) / h_;
    if (!(std::max(one.beyond, two.beyond) > 1e-3 * h_)) return;
    if (!(std::max(std::abs(across_slope), std::abs(along_slope)) <= STEEP)) return;
    Corners q{{grid_[i], grid_[i], grid_[i] + side * two.beyond, grid_[i] + side * one.beyond},
              {grid_[j - 1], grid_[j], grid_[j], grid_[j - 1]},
              {one.v, two.v, two.v_beyond, one.v_beyond}};
    Slope slope{across_slope, along_slope};
    if ((axis + 1) % 3 != across) {
      std::swap(q.b, q.c);
      std::swap(slope.b, slope.c);
    }
    emit(axis, q, slope);
  }

  Array<const double, 3, 2, -1, -1> heights_;
  double h_;
  int n_, block_ = 1;
  std::vector<double> grid_;
  std::vector<Patch> out_;
};

}  // namespace

std::vector<Patch> surface_of(Array<const double, 3, 2, -1, -1> heights, double h) {
  need(heights.shape[2] == heights.shape[3] && heights.shape[2] > 1, "heights: expected n × n rays, n above 1");
  need(heights.shape[2] < 1 << 15, "heights: there are too many rays");
  need(h > 0, "resolution: must be above 0");
  return Scan(heights, h).patches();
}

}  // namespace volery::contact
