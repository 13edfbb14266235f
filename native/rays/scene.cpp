#include "rays/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace volery {
namespace {

enum : int { TRIANGLES = 0, INSTANCE = 121, INSTANCE_ARRAY = 122 };                             // RTCGeometryType
enum : int { INDEX = 0, VERTEX = 1, TRANSFORM = 23 };                                           // RTCBufferType
enum : int { UINT = 0x5001, UINT3 = 0x5003, FLOAT3 = 0x9003, FLOAT3X4_COLUMN_MAJOR = 0x9234 };  // RTCFormat
enum : int { DYNAMIC = 1, ROBUST = 4 };                                                         // RTCSceneFlags
enum : int { LOW = 0, MEDIUM = 1, REFIT = 3 };                                                  // RTCBuildQuality

// Boxes of instances are this much larger than their triangles [m]. Embree tests those boxes without care for rounding:
// an upright ray exactly on the border of two chunks would miss both. Covers cells of 1 km with room to spare.
constexpr float MARGIN = 2e-3f;
constexpr std::size_t SPARE_KINDS = 4;
constexpr std::size_t SPARE = 2;  // entries behind an array's end, which Embree may read

const embree::Functions& rtc() { return embree::functions(); }

const char* error_name(int code) {
  switch (code) {
    case 1: return "unknown";
    case 2: return "invalid argument";
    case 3: return "invalid operation";
    case 4: return "out of memory";
    case 5: return "unsupported CPU";
    default: return "an error that is not known";
  }
}

}  // namespace

// The instructions of AVX2 on every machine: with those of AVX-512 hierarchies, and so the last bits of hits, differ.
Device::Device(int threads) {
  const std::string settings = "threads=" + std::to_string(threads) + ",isa=avx2";
  handle_ = rtc().rtcNewDevice(settings.c_str());
  if (!handle_) check("rtcNewDevice");
}
Device::~Device() {
  if (handle_) rtc().rtcReleaseDevice(handle_);
}
void Device::check(const char* function) const {
  if (const int code = rtc().rtcGetDeviceError(handle_))
    throw std::runtime_error(std::string("Embree: ") + function + " failed: " + error_name(code));
}

TriangleScene::TriangleScene(std::shared_ptr<Device> device, Array<const float, -1, 3> vertices,
                             Array<const std::uint32_t, -1, 3> faces, bool robust, bool deforms)
    : device_(std::move(device)), vertex_count_(vertices.size()), face_count_(faces.size()) {
  need(device_ != nullptr, "device: there is none");
  need(vertex_count_ > 0 && face_count_ > 0, "vertices, faces: a mesh needs at least one triangle");
  for (const std::uint32_t corner : faces) need(corner < vertex_count_, "faces: a corner is no vertex");
  vertices_.resize(vertex_count_ + 2 + SPARE);
  std::copy_n(reinterpret_cast<const Vec3f*>(vertices.data), vertex_count_, vertices_.begin());
  faces_.assign(faces.begin(), faces.end());
  // Two triangles without area, which no ray can hit, make the box a little larger than what it holds.
  for (const auto dot : {vertex_count_, vertex_count_ + 1}) faces_.insert(faces_.end(), 3, std::uint32_t(dot));
  faces_.resize(faces_.size() + 3 * SPARE);
  widen_box();
  scene_ = rtc().rtcNewScene(device_->handle());
  rtc().rtcSetSceneFlags(scene_, (robust ? ROBUST : 0) | (deforms ? DYNAMIC : 0));
  rtc().rtcSetSceneBuildQuality(scene_, MEDIUM);
  geometry_ = rtc().rtcNewGeometry(device_->handle(), TRIANGLES);
  if (deforms) rtc().rtcSetGeometryBuildQuality(geometry_, REFIT);
  rtc().rtcSetSharedGeometryBuffer(geometry_, VERTEX, 0, FLOAT3, vertices_.data(), 0, 12, vertex_count_ + 2);
  rtc().rtcSetSharedGeometryBuffer(geometry_, INDEX, 0, UINT3, faces_.data(), 0, 12, face_count_ + 2);
  // Embree's default mask is 1: open it, so that the instance alone says who sees it.
  rtc().rtcSetGeometryMask(geometry_, embree::NONE);
  rtc().rtcCommitGeometry(geometry_);
  rtc().rtcAttachGeometry(scene_, geometry_);
  rtc().rtcCommitScene(scene_);
  device_->check("the hierarchy of a mesh");
}

TriangleScene::~TriangleScene() {
  if (geometry_) rtc().rtcReleaseGeometry(geometry_);
  if (scene_) rtc().rtcReleaseScene(scene_);
}

void TriangleScene::widen_box() {
  Vec3f low = vertices_[0], high = vertices_[0];
  for (std::int64_t v = 1; v < vertex_count_; ++v)
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], vertices_[v][k]);
      high[k] = std::max(high[k], vertices_[v][k]);
    }
  const Vec3f margin{MARGIN, MARGIN, MARGIN};
  vertices_[vertex_count_] = low - margin;
  vertices_[vertex_count_ + 1] = high + margin;
}

BoundingSphere TriangleScene::bounding_sphere() const {
  const Vec3f low = vertices_[vertex_count_], high = vertices_[vertex_count_ + 1];
  return {(low + high) * 0.5f, 0.5f * std::sqrt(dot(high - low, high - low))};
}

void TriangleScene::deform(Array<const float, -1, 3> vertices) {
  need_size(vertices, vertex_count_, "vertices");
  std::copy_n(reinterpret_cast<const Vec3f*>(vertices.data), vertex_count_, vertices_.begin());
  widen_box();
  rtc().rtcUpdateGeometryBuffer(geometry_, VERTEX, 0);
  rtc().rtcCommitGeometry(geometry_);
  rtc().rtcCommitScene(scene_);
  device_->check("a mesh that deforms");
}

InstanceGeometry::InstanceGeometry(std::shared_ptr<Device> device, std::vector<std::shared_ptr<TriangleScene>> scenes,
                                   Array<const std::int32_t, -1> kinds, Array<const float, -1, 3, 4> X, unsigned mask)
    : device_(std::move(device)), scenes_(std::move(scenes)), columns_(12 * (X.size() + 1)), count_(X.size()) {
  need(device_ != nullptr, "device: there is none");
  need(count_ > 0, "X: no instance");
  need_size(kinds, count_, "kinds");
  for (const std::int32_t kind : kinds)
    need(kind >= 0 && kind < std::int64_t(scenes_.size()) && scenes_[kind], "kinds: there is no such scene");
  kinds_.assign(kinds.begin(), kinds.end());
  kinds_.resize(kinds_.size() + SPARE_KINDS);
  geometry_ = rtc().rtcNewGeometry(device_->handle(), count_ == 1 ? INSTANCE : INSTANCE_ARRAY);
  rtc().rtcSetGeometryMask(geometry_, mask);
  if (count_ == 1) rtc().rtcSetGeometryInstancedScene(geometry_, scenes_[kinds[0]]->handle());
  else share_transforms();
  move(X);
}

void InstanceGeometry::share_transforms() {
  std::vector<embree::SceneHandle*> handles;
  for (const auto& scene : scenes_) handles.push_back(scene->handle());
  rtc().rtcSetGeometryInstancedScenes(geometry_, handles.data(), handles.size());
  rtc().rtcSetSharedGeometryBuffer(geometry_, INDEX, 0, UINT, kinds_.data(), 0, 4, count_);
  rtc().rtcSetSharedGeometryBuffer(geometry_, TRANSFORM, 0, FLOAT3X4_COLUMN_MAJOR, columns_.data(), 0, 48, count_);
}

InstanceGeometry::~InstanceGeometry() {
  if (geometry_) rtc().rtcReleaseGeometry(geometry_);
}

void InstanceGeometry::move(Array<const float, -1, 3, 4> X) {
  need_size(X, count_, "X");
  for (std::int64_t n = 0; n < count_; ++n)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) columns_[12 * n + 3 * j + i] = X(n, i, j);
  if (count_ == 1) rtc().rtcSetGeometryTransform(geometry_, 0, FLOAT3X4_COLUMN_MAJOR, columns_.data());
  else rtc().rtcUpdateGeometryBuffer(geometry_, TRANSFORM, 0);
  rtc().rtcCommitGeometry(geometry_);
  device_->check("an instance");
}

void InstanceGeometry::add_bounding_spheres(std::vector<BoundingSphere>& spheres) const {
  for (std::int64_t n = 0; n < count_; ++n) {
    const BoundingSphere own = scenes_[kinds_[n]]->bounding_sphere();
    const auto* column = reinterpret_cast<const Vec3f*>(&columns_[12 * n]);
    // No direction is stretched by more than the matrix's Frobenius norm.
    const float stretch =
        std::sqrt(dot(column[0], column[0]) + dot(column[1], column[1]) + dot(column[2], column[2]));
    const Vec3f centre = column[0] * own.centre.x + column[1] * own.centre.y + column[2] * own.centre.z + column[3];
    spheres.push_back({centre, stretch * own.radius});
  }
}

TopScene::TopScene(std::shared_ptr<Device> device) : device_(std::move(device)) {
  need(device_ != nullptr, "device: there is none");
  scene_ = rtc().rtcNewScene(device_->handle());
  rtc().rtcSetSceneFlags(scene_, DYNAMIC);
  rtc().rtcSetSceneBuildQuality(scene_, LOW);
  commit();
}
TopScene::~TopScene() {
  if (scene_) rtc().rtcReleaseScene(scene_);
}
void TopScene::attach(unsigned slot, std::shared_ptr<InstanceGeometry> geometry) {
  need(geometry && !attached_.contains(slot), "slot: is taken");
  rtc().rtcAttachGeometryByID(scene_, geometry->handle(), slot);
  device_->check("rtcAttachGeometryByID");
  attached_[slot] = std::move(geometry);
}
void TopScene::detach(unsigned slot) {
  need(attached_.contains(slot), "slot: is free");
  rtc().rtcDetachGeometry(scene_, slot);
  attached_.erase(slot);
}
std::shared_ptr<InstanceGeometry> TopScene::geometry(unsigned slot) const {
  const auto found = attached_.find(slot);
  need(found != attached_.end(), "slot: is free");
  return found->second;
}
// Joined, not handed to Embree's threads: a top scene is small, and waking them would take longer.
void TopScene::commit() {
  rtc().rtcJoinCommitScene(scene_);
  device_->check("rtcJoinCommitScene");
}

void SceneTables::set_rows(Array<const double, -1, 3, 4> X, Array<const float, -1, 3, 3> normal,
                           Array<const std::int32_t, -1> mesh, Array<const std::int32_t, -1> object,
                           Array<const std::int32_t, -1> group, Array<const std::uint32_t, -1> mask) {
  need_size(normal, X.size(), "normal");
  need_size(mesh, X.size(), "mesh");
  need_size(object, X.size(), "object");
  need_size(group, X.size(), "group");
  need_size(mask, X.size(), "mask");
  X_ = reinterpret_cast<const Posed*>(X.data);
  normal_ = reinterpret_cast<const Mat3f*>(normal.data);
  mesh_ = mesh.data, object_ = object.data, group_ = group.data, mask_ = mask.data;
  row_count_ = X.size();
}

void SceneTables::set_slot_rows(bool moving, Array<const std::int32_t, -1> first_row) { slot_row_[moving] = first_row.data; }

void SceneTables::set_mesh(std::int64_t number, std::shared_ptr<TriangleScene> scene,
                           Array<const std::uint16_t, -1> face_material, Array<const std::int8_t, -1> face_side,
                           Array<const float, -1, 3> coarser_vertices, Array<const std::uint32_t, -1, 3> coarser_faces,
                           Array<const std::int64_t, -1> coarser_counts, Array<const float, -1> coarser_details) {
  need(scene != nullptr, "scene: there is none");
  need(number >= 0 && number < BLOCK * BLOCKS, "number: there are too many meshes");
  need(coarser_counts.size() < MOST_LEVELS, "coarser_counts: there are too many levels of detail");
  need_size(coarser_details, coarser_counts.size(), "coarser_details");
  const std::int64_t own = scene->face_count(), all = own + coarser_faces.size();
  const auto fits = [](std::int64_t count, std::int64_t faces) { return count == 1 || count == faces; };
  need(fits(face_material.size(), all), "face_material: one entry, or one for each face of all levels");
  need(fits(face_side.size(), own), "face_side: one entry, or one for each face");
  for (const std::uint32_t corner : coarser_faces)
    need(corner < scene->vertex_count() + coarser_vertices.size(), "coarser_faces: a corner is no vertex");
  auto& block = meshes_->blocks[number / BLOCK];
  if (!block) block = std::make_unique<Entry[]>(BLOCK);
  Entry& e = entry(number);
  e.face_material.assign(face_material.begin(), face_material.end());
  e.face_side.assign(face_side.begin(), face_side.end());
  e.view = {scene->vertices(), scene->faces(), scene->handle(), scene->vertex_count(), own};
  e.view.face_material = e.face_material.data(), e.view.face_side = e.face_side.data();
  e.view.one_material = e.face_material.size() == 1, e.view.one_side = e.face_side.size() == 1;
  e.view.all_vertices = scene->vertex_count() + coarser_vertices.size();
  e.view.level_end[0] = own;
  if (coarser_counts.size() > 0) {
    const auto* more = reinterpret_cast<const Vec3f*>(coarser_vertices.data);
    e.vertices.assign(scene->vertices(), scene->vertices() + scene->vertex_count());
    e.vertices.insert(e.vertices.end(), more, more + coarser_vertices.size());
    e.faces.assign(&scene->faces()[0][0], &scene->faces()[0][0] + 3 * own);
    e.faces.insert(e.faces.end(), coarser_faces.begin(), coarser_faces.end());
    e.view.vertices = e.vertices.data();
    e.view.faces = reinterpret_cast<const std::uint32_t(*)[3]>(e.faces.data());
  }
  for (const std::int64_t count : coarser_counts) {
    need(count > 0, "coarser_counts: a level needs at least one triangle");
    e.view.detail[e.view.levels] = coarser_details[e.view.levels - 1];
    e.view.level_end[e.view.levels] = e.view.level_end[e.view.levels - 1] + count;
    ++e.view.levels;
  }
  need(e.view.all_faces() == all, "coarser_counts: their sum must be that of the faces");
  e.scene = std::move(scene);
}

void SceneTables::forget_mesh(std::int64_t number) {
  if (number >= 0 && number < BLOCK * BLOCKS && meshes_->blocks[number / BLOCK]) entry(number) = Entry();
}

}  // namespace volery
