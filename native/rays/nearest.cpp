#include "rays/nearest.hpp"

#include <cmath>
#include <limits>

#include "core/pool.hpp"

namespace volery {

// Ericson, Real-Time Collision Detection, 5.1.5: which of the seven regions of the triangle is p over?
Vec3d nearest_on_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp), d6 = dot(ac, cp);
  const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  if (d1 <= 0 && d2 <= 0) return a;
  if (d3 >= 0 && d4 <= d3) return b;
  if (d6 >= 0 && d5 <= d6) return c;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + ab * (d1 / (d1 - d3));
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + ac * (d2 / (d2 - d6));
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
  return a + ab * (vb / (va + vb + vc)) + ac * (vc / (va + vb + vc));
}

namespace {

constexpr std::int64_t POINTS = 32;  // in a block of work

// A question for Embree's callback and its answer so far, in the frame L of the cell.
struct Question {
  const SceneTables& tables;
  Vec3d origin_W;
  std::int32_t ignored_group;
  std::uint32_t mask;
  bool moving;
  Vec3d p_L, nearest_L;
  double distance;
  std::int32_t row, primitive;
};

Vec3d corner_L(const Question& q, std::int64_t row, const MeshView& mesh, unsigned vertex) {
  const Posed& X = q.tables.X_W(row);
  const Vec3d v = as<double>(mesh.vertices[vertex]);
  const auto& m = X.m;
  const auto part = [&](int i) { return m[i][0] * v.x + m[i][1] * v.y + m[i][2] * v.z + (m[i][3] - q.origin_W[i]); };
  return {part(0), part(1), part(2)};
}

bool on_triangle(embree::PointQueryArguments* arguments) {
  Question& q = *static_cast<Question*>(arguments->user);
  const std::int32_t row = q.tables.row(q.moving, arguments->context->instance, arguments->context->instance_primitive);
  if ((q.tables.mask(row) & q.mask) == 0) return false;
  if (q.ignored_group >= 0 && q.tables.group(row) == q.ignored_group) return false;
  const MeshView& mesh = q.tables.mesh(row);
  if (arguments->primitive >= mesh.face_count) return false;  // a dot that widens the mesh's box
  const auto& face = mesh.faces[arguments->primitive];
  const Vec3d nearest_L = nearest_on_triangle(q.p_L, corner_L(q, row, mesh, face[0]), corner_L(q, row, mesh, face[1]),
                                              corner_L(q, row, mesh, face[2]));
  const double distance = norm(q.p_L - nearest_L);
  if (!(distance < q.distance)) return false;
  q.distance = distance;
  q.nearest_L = nearest_L;
  q.row = row;
  q.primitive = std::int32_t(arguments->primitive);
  // This is the query in L; Embree carries the radius over into the instance.
  arguments->query->radius = float(distance);
  return true;
}

void ask(Question& q, const TopScene& scene) {
  if (!scene.handle()) return;
  embree::PointQuery query{float(q.p_L.x), float(q.p_L.y), float(q.p_L.z), 0, float(q.distance)};
  embree::PointQueryContext context{};
  embree::functions().rtcPointQuery(scene.handle(), &query, &context, &on_triangle, &q);
}

// Three rays out of the mesh vote: does the first surface met show its back?
bool starts_inside(embree::SceneHandle* scene, const Vec3d& p) {
  int votes = 0;
  for (int k = 0; k < 3; ++k) {
    // Directions that no modeller aligns edges with.
    Vec3f d{0.5377f, 0.8339f, 0.1249f};
    d[k] = -0.7131f;
    embree::RayHit ray{};
    ray.org_x = float(p.x), ray.org_y = float(p.y), ray.org_z = float(p.z);
    ray.dir_x = d.x, ray.dir_y = d.y, ray.dir_z = d.z;
    ray.far = std::numeric_limits<float>::infinity();
    ray.mask = ray.geometry = ray.instance = embree::NONE;
    embree::functions().rtcIntersect1(scene, &ray, nullptr);
    const bool met = ray.geometry != embree::NONE;
    if (met && ray.normal_x * d.x + ray.normal_y * d.y + ray.normal_z * d.z > 0) ++votes;
  }
  return votes >= 2;
}

}  // namespace

void nearest_points(const SceneTables& tables, const RayCell& cell, Array<const double, -1, 3> points_W, double reach,
                    std::int32_t ignored_group, std::uint32_t mask, Array<double, -1, 3> nearest_W,
                    Array<double, -1> distance, Array<std::int32_t, -1> row, Array<std::int32_t, -1> primitive) {
  need_size(nearest_W, points_W.size(), "nearest_W");
  need_size(distance, points_W.size(), "distance");
  need_size(row, points_W.size(), "row");
  need_size(primitive, points_W.size(), "primitive");
  parallel_ranges(points_W.size(), POINTS, [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {
      Question q{tables, cell.origin_W, ignored_group, mask, false, vec3(points_W[i]) - cell.origin_W, {}, reach, -1, -1};
      ask(q, *cell.standing);
      q.moving = true;
      ask(q, *cell.moving);
      row[i] = q.row, primitive[i] = q.primitive, distance[i] = q.distance;
      vec3(nearest_W[i]) = q.nearest_L + cell.origin_W;
    }
  });
}

void inside_meshes(const SceneTables& tables, Array<const double, -1, 3> points_W, Array<const std::int32_t, -1> row,
                   Array<bool, -1> inside) {
  need_size(row, points_W.size(), "row");
  need_size(inside, points_W.size(), "inside");
  for (std::int64_t i = 0; i < points_W.size(); ++i) {
    if (row[i] < 0) continue;
    need(row[i] < tables.row_count(), "row: there is no such row");
    // Into the mesh's own frame: the normal matrix is the inverse transposed.
    const Vec3d out = vec3(points_W[i]) - tables.X_W(row[i]).p();
    inside[i] = starts_inside(tables.mesh(row[i]).scene, transposed_times(as<double>(tables.normal(row[i])), out));
  }
}

}  // namespace volery
