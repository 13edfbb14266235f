#include "contact/hook.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <unordered_map>

#include "contact/collide.hpp"

namespace volery::contact {
namespace {

// Greatest depth that is told [m]. MuJoCo stops what comes in within a step whatever the depth, but sends it back out
// at a speed that grows with the depth: so at most about a metre a second.
constexpr double PUSH = 5e-3;
constexpr int NOT_OURS = -1;

// Worlds that live, by their marks, which are never given twice: data may be older than a world, or another's.
class Registry {
 public:
  double enter(const std::shared_ptr<ContactWorld>& world) {
    const std::unique_lock lock(mutex_);
    std::erase_if(worlds_, [](const auto& item) { return item.second.expired(); });
    for (const auto& [mark, known] : worlds_)
      if (known.lock() == world) return double(mark);
    worlds_[++last_] = world;
    return double(last_);
  }
  std::shared_ptr<ContactWorld> find(double mark) const {
    if (!(mark > double(FIRST)) || !(mark < double(2 * FIRST))) return nullptr;
    const std::shared_lock lock(mutex_);
    const auto found = worlds_.find(std::int64_t(mark));
    return found == worlds_.end() ? nullptr : found->second.lock();
  }

 private:
  // A number that other users of userdata will hardly come upon, and that a double holds exactly.
  static constexpr std::int64_t FIRST = 0x1566F6C6572790;
  static_assert(FIRST < std::int64_t(1) << 53);
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::int64_t, std::weak_ptr<ContactWorld>> worlds_;
  std::int64_t last_ = FIRST;
};

Registry& registry() {
  static Registry only;
  return only;
}

// Set once, before the table has any of our functions.
struct Installed {
  Offsets offsets;
  CollisionTable::Function own[CollisionTable::TYPES] = {};  // MuJoCo's, for data that are not ours
};
Installed installed;

template <class T>
T* array_at(const void* record, std::size_t offset) {
  T* array;
  std::memcpy(&array, static_cast<const char*>(record) + offset, sizeof array);
  return array;
}

// Contacts into W and to MuJoCo, and into the geom's log with the rows of the scene that they touch.
void hand_over(const Scratch& scratch, int count, const Vec3d& p_WG, const Mat3d& R_WG, GeomLog& log, PreContact* out) {
  log.count = count;
  for (int k = 0; k < count; ++k) {
    const Contact& c = scratch.contacts[k];
    const Vec3d &a = R_WG.rows[0], &b = R_WG.rows[1], &d = R_WG.rows[2], &p = c.p_G;
    const Vec3d p_W{p_WG.x + a.x * p.x + a.y * p.y + a.z * p.z, p_WG.y + b.x * p.x + b.y * p.y + b.z * p.z,
                    p_WG.z + d.x * p.x + d.y * p.y + d.z * p.z};
    out[k] = {std::max(c.dist, -PUSH), p_W, R_WG * c.normal_G, {}};
    log.touched[k] = {p_W, scratch.triangles[c.triangle].row};
  }
}

// Friction of the pair in this step: the geom's own times that of what it touches deepest. MuJoCo reads it after it has
// called us, and one pair has one friction.
void set_friction(const Scratch& scratch, int count, const Geom& geom, const void* model) {
  if (count == 0 || geom.pair < 0) return;
  const auto first = scratch.contacts.begin();
  const auto deeper = [](const Contact& a, const Contact& b) { return a.dist < b.dist; };
  const auto deepest = std::min_element(first, first + count, deeper);
  double* friction = array_at<double>(model, installed.offsets.pair_friction) + 5 * geom.pair;
  friction[0] = friction[1] = std::max(geom.slip * scratch.triangles[deepest->triangle].friction, 1e-5);
}

int collide_geom(ContactWorld& world, ShapeKind kind, const void* model, void* data, PreContact* out, int g,
                 double margin) {
  const Offsets& at = installed.offsets;
  Geom& geom = world.geoms()[g];
  if ((kind == ShapeKind::box || kind == ShapeKind::mesh) && !geom.hull) return 0;
  const Shape shape{kind, vec3(array_at<double>(model, at.geom_size) + 3 * g), geom.hull.get()};
  const Vec3d& p_W = vec3(array_at<double>(data, at.geom_xpos) + 3 * g);
  const Mat3d& R_WG = mat3(array_at<double>(data, at.geom_xmat) + 9 * g);
  Scratch& scratch = world.scratch();
  const int count = collide(world, scratch, shape, p_W, R_WG, margin, &geom.nearby);
  hand_over(scratch, count, p_W, R_WG, world.log(g), out);
  set_friction(scratch, count, geom, model);
  return count;
}

int ask_world(ShapeKind kind, const void* model, void* data, PreContact* out, int geom1, int geom2, double margin) {
  const double* userdata = array_at<double>(data, installed.offsets.userdata);
  const std::shared_ptr<ContactWorld> world = userdata ? registry().find(userdata[0]) : nullptr;
  // A height field of the model's own is MuJoCo's.
  if (!world || geom1 != world->stand_in()) return NOT_OURS;
  if (geom2 < 0 || std::size_t(geom2) >= world->geoms().size()) return NOT_OURS;
  return collide_geom(*world, kind, model, data, out, geom2, margin);
}

// What MuJoCo calls for the stand-in of the world and a shape; no exception may go through MuJoCo.
template <ShapeKind kind>
int on_collision(const void* model, void* data, PreContact* out, int geom1, int geom2, double margin) noexcept {
  const int found = ask_world(kind, model, data, out, geom1, geom2, margin);
  if (found != NOT_OURS) return found;
  const CollisionTable::Function own = installed.own[int(kind)];
  return own ? own(model, data, out, geom1, geom2, margin) : 0;
}

}  // namespace

CollisionTable::CollisionTable(const std::string& library) {
  void* opened = dlopen(library.c_str(), RTLD_NOW);
  functions_ = opened ? reinterpret_cast<Function*>(dlsym(opened, "mjCOLLISIONFUNC")) : nullptr;
  if (!functions_) throw std::runtime_error(library + " has no table of collision functions");
}

int CollisionTable::ask_plane(ShapeKind kind, std::uintptr_t model, std::uintptr_t data, int geom1, int geom2,
                              Array<double, -1, PRE_CONTACT> out) const {
  const Function function = functions_[TYPES * PLANE + int(kind)];
  need(function != nullptr, "kind: MuJoCo has no function for it");
  need(out.size() >= 50, "out: MuJoCo may write 50 contacts");
  return function(reinterpret_cast<const void*>(model), reinterpret_cast<void*>(data),
                  reinterpret_cast<PreContact*>(out.data), geom1, geom2, 0);
}

void CollisionTable::install(const Offsets& offsets) {
  static std::once_flag once;
  std::call_once(once, [&] {
    constexpr Function ours[] = {&on_collision<ShapeKind::sphere>, &on_collision<ShapeKind::capsule>,
                                 &on_collision<ShapeKind::ellipsoid>, &on_collision<ShapeKind::cylinder>,
                                 &on_collision<ShapeKind::box>, &on_collision<ShapeKind::mesh>};
    installed.offsets = offsets;
    std::copy_n(functions_ + TYPES * FIELD, TYPES, installed.own);
    std::copy(std::begin(ours), std::end(ours), functions_ + TYPES * FIELD + int(ShapeKind::sphere));
  });
}

std::vector<std::size_t> pointer_offsets(std::uintptr_t record, std::size_t bytes, const void* array) {
  std::vector<std::size_t> found;
  for (std::size_t offset = 0; offset + sizeof(void*) <= bytes; offset += sizeof(void*))
    if (array_at<const char>(reinterpret_cast<const void*>(record), offset) == array) found.push_back(offset);
  return found;
}

double mark(const std::shared_ptr<ContactWorld>& world) { return registry().enter(world); }

}  // namespace volery::contact
