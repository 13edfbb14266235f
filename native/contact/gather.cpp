#include "contact/gather.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace volery::contact {
namespace {

// A triangle less high than this is left out [m]: its normal is noise, and its neighbours close the gap.
constexpr double SLIVER = 1e-6;
// Added to the reach of Embree's question [m]: single precision in cells of 1 km.
constexpr double ROUNDING = 1e-3;
// How far round a shape faces are remembered within a step [m].
constexpr double SLACK = 0.02;

// What is asked of each face.
struct Question {
  const ContactWorld& world;
  std::vector<Triangle>& found;
  Vec3d p_W;
  Mat3d R_WG;
  Vec3d box;  // half extents with the margin
  double radius;
  std::int32_t row = -1;  // whose pose seen from the shape X_GO is
  Posed X_GO{};
  bool mirrored = false;
  std::int64_t lost = 0;
  std::int64_t farthest = -1;  // of those found, if known
};

double determinant(const Posed& X) {
  const auto& m = X.m;
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// X_GO = X_GW X_WO, kept until another row comes.
void turn_row(Question& q, std::int32_t row) {
  q.row = row;
  const Posed& X_WO = q.world.tables().X_W(row);
  for (int j = 0; j < 4; ++j) {
    Vec3d column{X_WO.m[0][j], X_WO.m[1][j], X_WO.m[2][j]};
    if (j == 3) column -= q.p_W;
    const Vec3d turned = transposed_times(q.R_WG, column);
    for (int i = 0; i < 3; ++i) q.X_GO.m[i][j] = turned[i];
  }
  q.mirrored = !(determinant(q.X_GO) > 0);
}

// Write the corners and how near the triangle's box comes to the centre; false: out of reach.
bool place_corners(const Question& q, const MeshView& mesh, std::uint32_t primitive, Triangle& T) {
  for (int k = 0; k < 3; ++k) T.corner[k] = q.X_GO * as<double>(mesh.vertices[mesh.faces[primitive][k]]);
  T.near2 = 0;
  for (int i = 0; i < 3; ++i) {
    const double low = std::min({T.corner[0][i], T.corner[1][i], T.corner[2][i]});
    const double high = std::max({T.corner[0][i], T.corner[1][i], T.corner[2][i]});
    if (low > q.box[i] || high < -q.box[i]) return false;
    const double gap = std::max({low, -high, 0.0});
    T.near2 += gap * gap;
  }
  return true;
}

// Write normal, height of the centre and edge vectors; false if it is a sliver or out of reach.
bool place_plane(Triangle& T, double radius) {
  const Vec3d a = T.corner[1] - T.corner[0], b = T.corner[2] - T.corner[0];
  const Vec3d n = cross(a, b);
  const double area = norm(n), longest = std::sqrt(std::max({norm2(a), norm2(b), norm2(b - a)}));
  if (!(area > SLIVER * longest)) return false;
  T.normal = n / area;
  T.above = -dot(T.normal, T.corner[0]);
  if (!(std::abs(T.above) <= radius)) return false;
  for (int i = 0; i < 3; ++i) {
    const Vec3d m = cross(T.normal, T.corner[(i + 1) % 3] - T.corner[i]);
    T.inward[i] = m * (1.0 / norm(m));
  }
  return true;
}

// If there is no room, in place of the farthest one, unless it is that itself.
void keep(Question& q, const Triangle& T) {
  if (q.found.size() < MOST_TRIANGLES) {
    q.found.push_back(T);
    return;
  }
  ++q.lost;
  if (q.farthest < 0) {
    const auto nearer = [](const Triangle& a, const Triangle& b) { return a.near2 < b.near2; };
    q.farthest = std::max_element(q.found.begin(), q.found.end(), nearer) - q.found.begin();
  }
  if (T.near2 > q.found[q.farthest].near2) return;
  q.found[q.farthest] = T;
  q.farthest = -1;
}

// Add a triangle to those near the shape, if it is solid and near.
void take(Question& q, std::int32_t row, std::uint32_t primitive) {
  const SceneTables& tables = q.world.tables();
  const MeshView& mesh = tables.mesh(row);
  if (primitive >= mesh.face_count) return;  // a dot that widens the mesh's box
  Triangle T;
  T.friction = q.world.friction(row, mesh, primitive);
  if (T.friction < 0) return;
  if (q.row != row) turn_row(q, row);
  if (!place_corners(q, mesh, primitive, T) || !place_plane(T, q.radius)) return;
  const std::int8_t side = mesh.side(primitive);
  // A mirrored mesh is inside out.
  T.solid = side != 0 && (side > 0) == !q.mirrored;
  if (!T.solid && T.above < 0) {
    // A sheet has two sides: the shape is on the one where its centre is.
    T.normal = -T.normal, T.above = -T.above;
  }
  T.row = row, T.object = tables.object(row), T.primitive = primitive;
  keep(q, T);
}

// A question about all faces within a reach.
struct Search {
  const SceneTables& tables;
  std::vector<Nearby::Face>& faces;
  bool moving;
};

bool on_triangle(embree::PointQueryArguments* arguments) {
  Search& search = *static_cast<Search*>(arguments->user);
  const auto& context = *arguments->context;
  search.faces.push_back({search.tables.row(search.moving, context.instance, context.instance_primitive),
                          arguments->primitive});
  return false;
}

void look(Search search, const TopScene& scene, const Vec3d& p_L, double reach) {
  if (!scene.handle()) return;
  embree::PointQuery query{float(p_L.x), float(p_L.y), float(p_L.z), 0, float(reach)};
  embree::PointQueryContext context;
  context.instance = context.instance_primitive = embree::NONE;
  embree::functions().rtcPointQuery(scene.handle(), &query, &context, &on_triangle, &search);
}

// All faces within reach of a place, and perhaps some more.
void find_faces(const ContactWorld& world, const ContactWorld::Cell& cell, const Vec3d& p_W, double reach,
                std::vector<Nearby::Face>& faces) {
  faces.clear();
  const Vec3d p_L = p_W - cell.rays.origin_W;
  look({world.tables(), faces, false}, *cell.rays.standing, p_L, reach);
  if (cell.movers) look({world.tables(), faces, true}, *cell.rays.moving, p_L, reach);
}

const std::vector<Nearby::Face>& faces_near(const ContactWorld& world, const ContactWorld::Cell& cell, const Vec3d& p_W,
                                            double reach, Scratch& scratch, Nearby* nearby) {
  if (!nearby || world.epoch() == 0) {
    find_faces(world, cell, p_W, reach, scratch.faces);
    return scratch.faces;
  }
  const bool good = nearby->epoch == world.epoch() && nearby->cell == &cell &&
                    norm(p_W - nearby->p_W) + reach <= nearby->reach;
  if (!good) {
    find_faces(world, cell, p_W, reach + SLACK, nearby->faces);
    nearby->epoch = world.epoch(), nearby->cell = &cell, nearby->p_W = p_W, nearby->reach = reach + SLACK;
  }
  return nearby->faces;
}

// Embree finds triangles in an order that depends on what came and went before, and a run that is taken up again from a
// snapshot would differ in the last digits. Numbers of objects come from their names, and rows of one object follow each
// other.
void put_in_order(Scratch& scratch) {
  const auto& found = scratch.found;
  scratch.order.resize(found.size());
  for (std::size_t t = 0; t < found.size(); ++t) scratch.order[t] = std::int32_t(t);
  std::sort(scratch.order.begin(), scratch.order.end(), [&](std::int32_t a, std::int32_t b) {
    return std::tie(found[a].object, found[a].row, found[a].primitive) <
           std::tie(found[b].object, found[b].row, found[b].primitive);
  });
  for (const std::int32_t t : scratch.order) scratch.triangles.push_back(found[t]);
}

}  // namespace

std::int64_t gather(const ContactWorld& world, Scratch& scratch, const Vec3d& p_W, const Mat3d& R_WG,
                    const Vec3d& half_extents, double margin, Nearby* nearby) {
  scratch.found.clear();
  scratch.triangles.clear();
  const ContactWorld::Cell* cell = world.cell(p_W);
  if (!cell) return 0;
  const Vec3d box = half_extents + Vec3d{margin, margin, margin};
  Question q{world, scratch.found, p_W, R_WG, box, norm(box)};
  for (const Nearby::Face& face : faces_near(world, *cell, p_W, q.radius + ROUNDING, scratch, nearby))
    take(q, face.row, face.primitive);
  world.counts().lost_triangles.fetch_add(q.lost, std::memory_order_relaxed);
  world.counts().asked.fetch_add(1, std::memory_order_relaxed);
  put_in_order(scratch);
  return std::int64_t(scratch.triangles.size());
}

}  // namespace volery::contact
