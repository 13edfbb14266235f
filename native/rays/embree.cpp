#include "rays/embree.hpp"

#include <dlfcn.h>

#include <atomic>
#include <mutex>
#include <stdexcept>

namespace volery::embree {
namespace {

Functions found;
std::atomic<bool> loaded = false;
std::mutex loading;

void* open(const std::string& path) {
  if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
  throw std::runtime_error(std::string("the Embree library cannot be loaded (") + dlerror() +
                           "); reinstall the package 'embreex'");
}

template <class F>
void find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function)
    throw std::runtime_error(std::string("the Embree library lacks '") + name +
                             "'; run: pip install embreex==4.4.0.post1");
}

Functions find_all(void* library) {
  Functions all;
#define VOLERY_FIND(name) find(library, #name, all.name)
  VOLERY_FIND(rtcNewDevice);
  VOLERY_FIND(rtcReleaseDevice);
  VOLERY_FIND(rtcGetDeviceError);
  VOLERY_FIND(rtcNewScene);
  VOLERY_FIND(rtcReleaseScene);
  VOLERY_FIND(rtcSetSceneFlags);
  VOLERY_FIND(rtcSetSceneBuildQuality);
  VOLERY_FIND(rtcCommitScene);
  VOLERY_FIND(rtcJoinCommitScene);
  VOLERY_FIND(rtcNewGeometry);
  VOLERY_FIND(rtcReleaseGeometry);
  VOLERY_FIND(rtcSetGeometryBuildQuality);
  VOLERY_FIND(rtcSetGeometryMask);
  VOLERY_FIND(rtcSetSharedGeometryBuffer);
  VOLERY_FIND(rtcUpdateGeometryBuffer);
  VOLERY_FIND(rtcSetGeometryInstancedScene);
  VOLERY_FIND(rtcSetGeometryInstancedScenes);
  VOLERY_FIND(rtcSetGeometryTransform);
  VOLERY_FIND(rtcCommitGeometry);
  VOLERY_FIND(rtcAttachGeometry);
  VOLERY_FIND(rtcAttachGeometryByID);
  VOLERY_FIND(rtcDetachGeometry);
  VOLERY_FIND(rtcIntersect1);
  VOLERY_FIND(rtcIntersect8);
  VOLERY_FIND(rtcOccluded8);
  VOLERY_FIND(rtcPointQuery);
#undef VOLERY_FIND
  return all;
}

}  // namespace

void load(const std::string& tbb, const std::string& embree) {
  std::lock_guard lock(loading);
  open(tbb);
  const Functions all = find_all(open(embree));
  if (loaded) return;
  found = all;
  loaded = true;
}

const Functions& functions() {
  if (!loaded) throw std::runtime_error("Embree is not loaded");
  return found;
}

}  // namespace volery::embree
