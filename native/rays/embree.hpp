// Embree 4 out of the `embreex` wheel, which has no headers: what is needed of its C interface is declared here, and the
// functions are found by their symbols. https://github.com/RenderKit/embree/blob/v4.4.0/doc/src/api.md
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace volery::embree {

constexpr unsigned NONE = 0xFFFFFFFFu;  // RTC_INVALID_GEOMETRY_ID
constexpr int WIDTH = 8;                // rays in a packet

struct DeviceHandle;
struct SceneHandle;
struct GeometryHandle;

struct alignas(32) RayHit8 {  // RTCRayHit8
  float org_x[WIDTH], org_y[WIDTH], org_z[WIDTH], near[WIDTH];
  float dir_x[WIDTH], dir_y[WIDTH], dir_z[WIDTH], time[WIDTH], far[WIDTH];
  unsigned mask[WIDTH], id[WIDTH], flags[WIDTH];
  float normal_x[WIDTH], normal_y[WIDTH], normal_z[WIDTH], u[WIDTH], v[WIDTH];
  unsigned primitive[WIDTH], geometry[WIDTH], instance[WIDTH], instance_primitive[WIDTH];
};

struct alignas(16) RayHit {  // RTCRayHit
  float org_x, org_y, org_z, near, dir_x, dir_y, dir_z, time, far;
  unsigned mask, id, flags;
  float normal_x, normal_y, normal_z, u, v;
  unsigned primitive, geometry, instance, instance_primitive;
};
static_assert(offsetof(RayHit, normal_x) == 48 && sizeof(RayHit8) == 21 * 4 * WIDTH);

struct RayQueryContext {
  unsigned instance = NONE, instance_primitive = NONE;
};

struct FilterArguments {  // RTCFilterFunctionNArguments
  int* valid;
  void* user;
  RayQueryContext* context;
  void* rays;
  void* hits;
  unsigned count;
};

enum : int { COHERENT = 1 << 16, INVOKE_FILTER = 1 << 1 };  // RTCRayQueryFlags

struct alignas(8) IntersectArguments {  // RTCIntersectArguments, RTCOccludedArguments
  int flags = 0;
  unsigned features = NONE;
  RayQueryContext* context = nullptr;
  void (*filter)(const FilterArguments*) = nullptr;
  void* intersect = nullptr;
  float min_width = -1.0f;
};

struct alignas(16) PointQuery {
  float x, y, z, time, radius;
};

struct alignas(16) PointQueryContext {  // depth 1
  float world_to_instance[16];
  float instance_to_world[16];
  unsigned instance = NONE, instance_primitive = NONE;
  unsigned depth = 0;
};

struct alignas(16) PointQueryArguments {
  PointQuery* query;
  void* user;
  unsigned primitive, geometry;
  PointQueryContext* context;
  float similarity_scale;
};
using PointQueryFunction = bool (*)(PointQueryArguments*);

struct Functions {
  DeviceHandle* (*rtcNewDevice)(const char*);
  void (*rtcReleaseDevice)(DeviceHandle*);
  int (*rtcGetDeviceError)(DeviceHandle*);
  SceneHandle* (*rtcNewScene)(DeviceHandle*);
  void (*rtcReleaseScene)(SceneHandle*);
  void (*rtcSetSceneFlags)(SceneHandle*, int);
  void (*rtcSetSceneBuildQuality)(SceneHandle*, int);
  void (*rtcCommitScene)(SceneHandle*);
  void (*rtcJoinCommitScene)(SceneHandle*);
  GeometryHandle* (*rtcNewGeometry)(DeviceHandle*, int);
  void (*rtcReleaseGeometry)(GeometryHandle*);
  void (*rtcSetGeometryBuildQuality)(GeometryHandle*, int);
  void (*rtcSetGeometryMask)(GeometryHandle*, unsigned);
  void (*rtcSetSharedGeometryBuffer)(GeometryHandle*, int, unsigned, int, const void*, std::size_t, std::size_t,
                                     std::size_t);
  void (*rtcUpdateGeometryBuffer)(GeometryHandle*, int, unsigned);
  void (*rtcSetGeometryInstancedScene)(GeometryHandle*, SceneHandle*);
  void (*rtcSetGeometryInstancedScenes)(GeometryHandle*, SceneHandle**, std::size_t);
  void (*rtcSetGeometryTransform)(GeometryHandle*, unsigned, int, const void*);
  void (*rtcCommitGeometry)(GeometryHandle*);
  unsigned (*rtcAttachGeometry)(SceneHandle*, GeometryHandle*);
  void (*rtcAttachGeometryByID)(SceneHandle*, GeometryHandle*, unsigned);
  void (*rtcDetachGeometry)(SceneHandle*, unsigned);
  void (*rtcIntersect1)(SceneHandle*, RayHit*, IntersectArguments*);
  void (*rtcIntersect8)(const int*, SceneHandle*, RayHit8*, IntersectArguments*);
  void (*rtcOccluded8)(const int*, SceneHandle*, RayHit8*, IntersectArguments*);
  bool (*rtcPointQuery)(SceneHandle*, PointQuery*, PointQueryContext*, PointQueryFunction, void*);
};

// Open the wheel's libraries; once in a process. Throws std::runtime_error with what is missing.
void load(const std::string& tbb, const std::string& embree);
const Functions& functions();  // throws std::runtime_error before load()

}  // namespace volery::embree
