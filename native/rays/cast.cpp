#include "rays/cast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volery {

using embree::NONE;
using embree::RayHit8;
constexpr int W = embree::WIDTH;

Movers::Movers(const SceneTables& tables, const TopScene& moving, std::int32_t ignored_group) {
  for (const auto& [slot, geometry] : moving.attached()) {
    if (ignored_group >= 0 && tables.group(tables.row(true, slot, NONE)) == ignored_group) continue;
    geometry->add_bounding_spheres(spheres_);
    if (spheres_.size() > MOST) return;
  }
}

bool Movers::may_be_met(const int* valid, const RayHit8& rays) const {
  if (spheres_.size() > MOST) return true;
  int met = 0;
  for (const BoundingSphere& sphere : spheres_)
    for (int k = 0; k < W; ++k) {
      const float x = sphere.centre.x - rays.org_x[k], y = sphere.centre.y - rays.org_y[k];
      const float z = sphere.centre.z - rays.org_z[k];
      const float along = x * rays.dir_x[k] + y * rays.dir_y[k] + z * rays.dir_z[k];
      const float t = std::min(std::max(along, rays.near[k]), rays.far[k]);
      const float dx = x - t * rays.dir_x[k], dy = y - t * rays.dir_y[k], dz = z - t * rays.dir_z[k];
      const float reach = sphere.radius + 2e-3f + 4e-6f * t;  // a margin for float32
      met |= valid[k] & -int(dx * dx + dy * dy + dz * dz <= reach * reach);
    }
  return met != 0;
}

PacketCaster::PacketCaster(const SceneTables& tables, const TopScene* standing, const TopScene* moving,
                           const Vec3d& origin_W, const RayQuery& query, const Movers* movers)
    : tables_(tables),
      standing_(standing ? standing->handle() : nullptr),
      moving_(moving ? moving->handle() : nullptr),
      movers_(movers),
      origin_W_(origin_W),
      mask_(query.mask) {
  arguments_.flags = query.coherent ? embree::COHERENT : 0;
  arguments_.context = &context_;
  own_arguments_ = arguments_;
  own_context_.tables = &tables;
  own_context_.ignored_group = query.ignored_group;
  own_arguments_.context = &own_context_;
  if (query.ignored_group < 0) return;
  own_arguments_.flags |= embree::INVOKE_FILTER;
  own_arguments_.filter = &reject_own;
}

// Turns away hits of the ignored group. Hits come as structures of arrays of `count` lanes, as Embree has them.
void PacketCaster::reject_own(const embree::FilterArguments* a) {
  const auto& context = *static_cast<const OwnContext*>(a->context);
  const auto* hits = static_cast<const unsigned*>(a->hits);  // normal (3), u, v, primitive, geometry, instance, index
  const unsigned n = a->count;
  for (unsigned i = 0; i < n; ++i) {
    if (a->valid[i] == 0) continue;
    const std::int32_t row = context.tables->row(true, hits[7 * n + i], hits[8 * n + i]);
    if (context.tables->group(row) == context.ignored_group) a->valid[i] = 0;
  }
}

void PacketCaster::take(bool moving, const int* valid, const RayHit8& rays, PacketHits& hits) const {
  for (int k = 0; k < W; ++k) {
    if (valid[k] == 0 || rays.geometry[k] == NONE) continue;
    hits.row[k] = tables_.row(moving, rays.instance[k], rays.instance_primitive[k]);
    hits.primitive[k] = std::int32_t(rays.primitive[k]);
    hits.normal[k] = {rays.normal_x[k], rays.normal_y[k], rays.normal_z[k]};
  }
}

void PacketCaster::intersect(const int* valid, RayHit8& rays, PacketHits& hits) {
  for (int k = 0; k < W; ++k) {
    hits.row[k] = hits.primitive[k] = -1;
    hits.normal[k] = {};
    rays.geometry[k] = NONE;
  }
  if (standing_) {
    embree::functions().rtcIntersect8(valid, standing_, &rays, &arguments_);
    take(false, valid, rays, hits);
  }
  if (moving_ && (!movers_ || movers_->may_be_met(valid, rays))) intersect_moving(valid, rays, hits);
  for (int k = 0; k < W; ++k) {
    if (hits.row[k] < 0) continue;
    hits.normal[k] = tables_.normal(hits.row[k]) * hits.normal[k];
    rays.far[k] = exact_distance(rays, hits, k);
  }
}

void PacketCaster::intersect_moving(const int* valid, RayHit8& rays, PacketHits& hits) {
  // The same packet goes on: far is the hit so far, so only what is nearer is found.
  for (int k = 0; k < W; ++k) rays.geometry[k] = NONE;
  embree::functions().rtcIntersect8(valid, moving_, &rays, &own_arguments_);
  take(true, valid, rays, hits);
}

// The distance to the plane of the triangle, in double precision. Embree's own comes by a reciprocal that makers of
// processors approximate differently: its last bit is not the same everywhere.
float PacketCaster::exact_distance(const RayHit8& rays, const PacketHits& hits, int k) const {
  const MeshView& mesh = tables_.mesh(hits.row[k]);
  const Vec3d corner_L =
      tables_.X_W(hits.row[k]) * as<double>(mesh.vertices[mesh.faces[hits.primitive[k]][0]]) - origin_W_;
  const Vec3d n = as<double>(hits.normal[k]), d{rays.dir_x[k], rays.dir_y[k], rays.dir_z[k]};
  const Vec3d o{rays.org_x[k], rays.org_y[k], rays.org_z[k]};
  const double far = rays.far[k], exact = dot(n, corner_L - o) / dot(n, d);
  // Along the surface the plane says little.
  return std::abs(exact - far) <= 1e-4 * (1.0 + far) ? float(exact) : rays.far[k];
}

void PacketCaster::occluded(const int* valid, RayHit8& rays) {
  // Embree passes over rays with far = −infinity the second time.
  if (standing_) embree::functions().rtcOccluded8(valid, standing_, &rays, &arguments_);
  if (moving_) embree::functions().rtcOccluded8(valid, moving_, &rays, &own_arguments_);
}

void RayPattern::load(std::int64_t first, std::uint32_t mask, int* valid, RayHit8& rays) const {
  for (int k = 0; k < W; ++k) {
    const std::int64_t i = std::min(first + k, count - 1);
    const Vec3d o = R_LS * as<double>(origins_S[own_origins ? i : 0]) + p_LS;
    const Vec3d d = R_LS * as<double>(directions_S[i]);
    rays.org_x[k] = float(o.x), rays.org_y[k] = float(o.y), rays.org_z[k] = float(o.z);
    rays.dir_x[k] = float(d.x), rays.dir_y[k] = float(d.y), rays.dir_z[k] = float(d.z);
    rays.near[k] = near;
    rays.far[k] = far[own_far ? i : 0];
    rays.time[k] = 0;
    rays.mask[k] = mask;
    rays.id[k] = rays.flags[k] = 0;
    valid[k] = first + k < count ? -1 : 0;
  }
}

void HitArrays::store(std::int64_t first, std::int64_t count, const RayHit8& rays,
                      const PacketHits& hits) const {
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t i = first + k;
    const std::int32_t r = hits.row[k];
    row[i] = r;
    primitive[i] = hits.primitive[k];
    distance[i] = r >= 0 ? rays.far[k] : std::numeric_limits<float>::infinity();
    const Vec3f& n = hits.normal[k];
    back[i] = n.x * rays.dir_x[k] + n.y * rays.dir_y[k] + n.z * rays.dir_z[k] > 0;
    if (normal) normal[i] = n * (1.0f / std::sqrt(std::max(dot(n, n), 1e-37f)));
  }
}

namespace {

RayPattern pattern_of(const RayCell& cell, Array<const float, -1, 3> origins_S, Array<const float, -1, 3> directions_S,
                      Array<const double, 3, 3> R_WS, Array<const double, 3> p_WS, Array<const float, -1> far,
                      float near) {
  const std::int64_t n = directions_S.size();
  need(origins_S.size() == 1 || origins_S.size() == n, "origins_S: give one origin, or one for each direction");
  need(far.size() == 1 || far.size() == n, "far: give one reach, or one for each direction");
  return {reinterpret_cast<const Vec3f*>(origins_S.data),
          reinterpret_cast<const Vec3f*>(directions_S.data),
          far.data,
          n,
          origins_S.size() > 1,
          far.size() > 1,
          mat3(R_WS.data),
          vec3(p_WS.data) - cell.origin_W,
          near};
}

}  // namespace

void RayBatch::add(const RayCell& cell, Array<const float, -1, 3> origins_S, Array<const float, -1, 3> directions_S,
                   Array<const double, 3, 3> R_WS, Array<const double, 3> p_WS, Array<const float, -1> far,
                   std::uint32_t mask, std::int32_t ignored_group, float near, bool coherent, const HitArrays& hits) {
  const std::int64_t n = directions_S.size();
  need(hits.count >= n, "hits: have room for fewer than there are rays");
  items_.push_back({pattern_of(cell, origins_S, directions_S, R_WS, p_WS, far, near),
                    hits,
                    {mask, ignored_group, coherent},
                    cell,
                    Movers(tables_, *cell.moving, ignored_group),
                    blocks_});
  blocks_ += (n + BLOCK_RAYS - 1) / BLOCK_RAYS;
  rays_ += n;
}

void RayBatch::cast_block(std::int64_t block) const {
  const auto next = std::upper_bound(items_.begin(), items_.end(), block,
                                     [](std::int64_t b, const Item& item) { return b < item.first_block; });
  const Item& item = *(next - 1);
  const RayPattern& pattern = item.pattern;
  PacketCaster caster(tables_, item.cell.standing.get(), item.cell.moving.get(), item.cell.origin_W, item.query,
                      &item.movers);
  RayHit8 rays;
  PacketHits hits;
  alignas(32) int valid[W];
  const std::int64_t begin = (block - item.first_block) * BLOCK_RAYS, end = std::min(begin + BLOCK_RAYS, pattern.count);
  for (std::int64_t first = begin; first < end; first += W) {
    pattern.load(first, item.query.mask, valid, rays);
    caster.intersect(valid, rays, hits);
    item.hits.store(first, std::min<std::int64_t>(W, end - first), rays, hits);
  }
}

void RayBatch::cast() {
  parallel_rays(rays_, blocks_, [this](std::int64_t block) { cast_block(block); });
}

void occluded_rays(const SceneTables& tables, const RayCell& cell, Array<const float, -1, 3> origins_S,
                   Array<const float, -1, 3> directions_S, Array<const double, 3, 3> R_WS, Array<const double, 3> p_WS,
                   Array<const float, -1> far, std::uint32_t mask, std::int32_t ignored_group, bool standing, bool moving,
                   Array<bool, -1> blocked) {
  const RayPattern pattern = pattern_of(cell, origins_S, directions_S, R_WS, p_WS, far, 0.0f);
  need_size(blocked, pattern.count, "blocked");
  const auto cast_block = [&](std::int64_t block) {
    PacketCaster caster(tables, standing ? cell.standing.get() : nullptr, moving ? cell.moving.get() : nullptr,
                        cell.origin_W, {mask, ignored_group, false});
    RayHit8 rays;
    alignas(32) int valid[W];
    const std::int64_t end = std::min((block + 1) * BLOCK_RAYS, pattern.count);
    for (std::int64_t first = block * BLOCK_RAYS; first < end; first += W) {
      pattern.load(first, mask, valid, rays);
      caster.occluded(valid, rays);
      for (std::int64_t k = 0; k < std::min<std::int64_t>(W, end - first); ++k) blocked[first + k] = rays.far[k] < 0;
    }
  };
  parallel_rays(pattern.count, (pattern.count + BLOCK_RAYS - 1) / BLOCK_RAYS, cast_block);
}

}  // namespace volery
