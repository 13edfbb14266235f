#include "contact/world.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volery::contact {

ContactWorld::ContactWorld(std::shared_ptr<SceneTables> tables) : tables_(std::move(tables)) {
  need(tables_ != nullptr, "tables: there are none");
}

void ContactWorld::set_own(Array<const std::int64_t, -1> groups) {
  constexpr std::int64_t MOST = std::numeric_limits<std::int32_t>::max();
  for (const std::int64_t group : groups) need(group >= 0 && group < MOST, "groups: there is no such group");
  own_.assign(groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end()) + 1, false);
  for (const std::int64_t group : groups) own_[group] = true;
}

double ContactWorld::friction(std::int64_t row, const MeshView& mesh, std::int64_t face) const {
  const std::int32_t group = tables_->group(row);
  if (group >= 0 && std::size_t(group) < own_.size() && own_[group]) return -1;
  const std::uint16_t material = mesh.material(face);
  return material < friction_.size() ? friction_[material] : -1;
}

const ContactWorld::Cell* ContactWorld::cell(const Vec3d& p_W) const {
  double best = std::numeric_limits<double>::infinity();
  const Cell* found = nullptr;
  for (const Cell& cell : cells_) {
    const Vec3d off = p_W - cell.rays.origin_W;
    const double x = std::abs(off.x), y = std::abs(off.y), z = std::abs(off.z);
    // So written, no place that is not a number is in any cell.
    if (x < best && y < best && z < best) best = std::max({x, y, z}), found = &cell;
  }
  return found;
}

void ContactWorld::bind_geoms(std::int64_t stand_in, Array<const std::int64_t, -1> pair, Array<const double, -1> slip,
                              Array<const std::int64_t, -1> hull, const std::vector<std::shared_ptr<Polytope>>& hulls) {
  need_size(slip, pair.size(), "slip");
  need_size(hull, pair.size(), "hull");
  std::vector<Geom> geoms(pair.size());
  for (std::int64_t g = 0; g < pair.size(); ++g) {
    need(hull[g] < std::int64_t(hulls.size()), "hull: there is no such hull");
    geoms[g] = {pair[g], slip[g], hull[g] >= 0 ? hulls[hull[g]] : nullptr, {}};
  }
  geoms_ = std::move(geoms);
  logs_.assign(geoms_.size(), GeomLog{});
  stand_in_ = stand_in;
}

std::int64_t ContactWorld::row_touched(std::int64_t geom1, std::int64_t geom2, const Vec3d& p_W) const {
  if (geom1 != stand_in_ || geom2 < 0 || geom2 >= std::int64_t(logs_.size())) return -1;
  const GeomLog& log = logs_[geom2];
  for (std::int64_t k = 0; k < log.count; ++k)
    if (log.touched[k].p_W == p_W) return log.touched[k].row;
  return -1;
}

void ContactWorld::rows_touched(Array<const std::int32_t, -1, 2> geoms, Array<const double, -1, 3> p_W,
                                Array<std::int64_t, -1> rows) const {
  need_size(p_W, geoms.size(), "p_W");
  need_size(rows, geoms.size(), "rows");
  for (std::int64_t c = 0; c < geoms.size(); ++c) rows[c] = row_touched(geoms(c, 0), geoms(c, 1), vec3(p_W[c]));
}

}  // namespace volery::contact
