// The instances that a view may see, each at the level of detail that its size in the picture asks for.
#pragma once
#include <cstdint>
#include <vector>

#include "render/clusters.hpp"

namespace volery {

// What a picture is to show.
struct InstanceQuery {
  double far;                  // [m]
  std::uint32_t mask;          // channels that are seen
  std::int32_t ignored_group;  // −1: none
  double detail;               // things so small [pixels] may be shown roughly; 0: nothing is
};

struct Instance {
  std::int32_t row, object;
  int level;
  double distance;  // of its middle [m]
  double scale;     // no vector gets longer by more than this
  Posed X_C;
  Sphere sphere_C;
  const LevelClusters* clusters;
  std::uint32_t first_cluster;  // number of its first cluster among those of all instances
};

// Nearest first. What is at the same distance comes in an order that does not hang on what came first into the world.
std::vector<Instance> instances_in_view(ClusterTable& clusters, const View& view, const InstanceQuery& query);

// The coarsest level of a mesh whose rough things are not larger than `size` [m], in its own frame.
inline int coarsest_level(const MeshView& mesh, double size) {
  int level = 0;
  while (level + 1 < mesh.levels && mesh.detail[level + 1] <= size) ++level;
  return level;
}

}  // namespace volery
