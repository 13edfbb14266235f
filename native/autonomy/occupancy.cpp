#include "autonomy/occupancy.hpp"

#include <algorithm>
#include <cmath>

namespace volery {
namespace {

// Evidence of a sweep that passes or ends in a cell, and the most that is believed either way: one hit is enough to be
// careful.
constexpr int MISS = -1, HIT = 5, LOWEST = -4, HIGHEST = 15;

std::int64_t inner(const Cell& at) { return (at[0] & 7) << 6 | (at[1] & 7) << 3 | (at[2] & 7); }

}  // namespace

OccupancyGrid::Block& OccupancyGrid::block(std::int64_t key, const Cell& at) {
  const auto next = std::int64_t(blocks_.size()), row = table_.insert(key, next);
  if (row == next) blocks_.emplace_back().place = block_of(at);
  return blocks_[row];
}

// Added to what is believed, once a sweep; never back to 0, which is unknown.
void OccupancyGrid::believe(Block& block, const Cell& at, int evidence) {
  const std::int64_t n = inner(at);
  if (block.sweep[n] == sweep_) return;
  block.sweep[n] = sweep_;
  int now = block.evidence[n] + evidence;
  if (now == 0) now = evidence > 0 ? 1 : -1;
  block.evidence[n] = std::int8_t(std::clamp(now, LOWEST, HIGHEST));
}

void OccupancyGrid::hit(const Vec3d& origin, const Vec3d& end) {
  const double square = norm2(end - origin);
  if (!(hollow_ * hollow_ < square && square <= reach_ * reach_)) return;
  const Cell at = cell_at(end, cell_);
  believe(block(cell_key(block_of(at)), at), at, HIT);
}

// All cells of a beam are passed, up to half a cell before its end.
void OccupancyGrid::pass(const Vec3d& origin, const Vec3d& end) {
  const Vec3d d = end - origin;
  const double length = norm(d);
  if (!(length > hollow_ && std::isfinite(length))) return;
  const double far = std::min(length, reach_) - 0.5 * cell_;
  const Vec3d way = d / length;
  Cell at = cell_at(origin, cell_), step;
  double cross[3], gap[3];
  for (int k = 0; k < 3; ++k) {
    step[k] = way[k] > 0 ? 1 : -1;
    const double edge = double(at[k] + (way[k] > 0)) * cell_;
    const bool along = std::abs(way[k]) <= 1e-12;
    cross[k] = along ? 1e18 : (edge - origin[k]) / way[k];
    gap[k] = along ? 1e18 : cell_ / std::abs(way[k]);
  }
  std::int64_t last = -1;
  Block* own = nullptr;
  for (;;) {
    const int k = cross[0] <= cross[1] && cross[0] <= cross[2] ? 0 : cross[1] <= cross[2] ? 1 : 2;
    if (cross[k] > far) return;
    const std::int64_t key = cell_key(block_of(at));
    if (key != last) last = key, own = &block(key, at);
    believe(*own, at, MISS);
    at[k] += step[k];
    cross[k] += gap[k];
  }
}

void OccupancyGrid::add(const Vec3d& origin, Array<const double, -1, 3> ends) {
  for (int k = 0; k < 3; ++k) need(std::abs(origin[k]) / cell_ < double(EDGE << 20), "origin: too far from home");
  std::lock_guard lock(using_);
  sweep_ = sweep_ % 255 + 1;
  for (std::int64_t i = 0; i < ends.size(); ++i) hit(origin, vec3(ends[i]));
  for (std::int64_t i = 0; i < ends.size(); ++i) pass(origin, vec3(ends[i]));
}

void OccupancyGrid::copy(const Cell& first, Array<std::int8_t, -1, -1, -1> out) const {
  if (out.empty()) return;
  Cell low, high, b;
  for (int k = 0; k < 3; ++k) low[k] = first[k] >> 3, high[k] = (first[k] + out.shape[k] - 1) >> 3;
  std::lock_guard lock(using_);
  for (b[0] = low[0]; b[0] <= high[0]; ++b[0])
    for (b[1] = low[1]; b[1] <= high[1]; ++b[1])
      for (b[2] = low[2]; b[2] <= high[2]; ++b[2]) {
        const std::int64_t row = table_.find(cell_key(b));
        if (row < 0) continue;
        Cell to, begin, end;
        for (int k = 0; k < 3; ++k) {
          to[k] = b[k] * EDGE - first[k];
          begin[k] = std::max<std::int64_t>(0, -to[k]);
          end[k] = std::min(EDGE, out.shape[k] - to[k]);
        }
        const auto& evidence = blocks_[row].evidence;
        for (auto i = begin[0]; i < end[0]; ++i)
          for (auto j = begin[1]; j < end[1]; ++j)
            std::copy(&evidence[i << 6 | j << 3 | begin[2]], &evidence[i << 6 | j << 3] + end[2],
                      &out(to[0] + i, to[1] + j, to[2] + begin[2]));
      }
}

Made<double, 2> OccupancyGrid::middles(bool taken) const {
  std::lock_guard lock(using_);
  std::vector<double> out;
  for (const Block& b : blocks_)
    for (std::int64_t n = 0; n < CELLS; ++n)
      if (is(b.evidence[n], taken))
        for (int k = 0; k < 3; ++k)
          out.push_back((double(b.place[k] * EDGE + (n >> (6 - 3 * k) & 7)) + 0.5) * cell_);
  const std::size_t count = out.size() / 3;
  return {std::move(out), {count, 3}};
}

std::int64_t OccupancyGrid::count(bool taken) const {
  std::lock_guard lock(using_);
  std::int64_t all = 0;
  for (const Block& b : blocks_)
    all += std::count_if(b.evidence.begin(), b.evidence.end(), [&](std::int8_t e) { return is(e, taken); });
  return all;
}

Made<std::int64_t, 2> OccupancyGrid::bounds() const {
  std::lock_guard lock(using_);
  if (blocks_.empty()) return {{}, {0, 3}};
  Cell low = blocks_[0].place, high = low;
  for (const Block& b : blocks_)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], b.place[k]), high[k] = std::max(high[k], b.place[k]);
  std::vector<std::int64_t> out;
  for (int k = 0; k < 3; ++k) out.push_back(low[k] * EDGE);
  for (int k = 0; k < 3; ++k) out.push_back((high[k] + 1) * EDGE - 1);
  return {std::move(out), {2, 3}};
}

}  // namespace volery
