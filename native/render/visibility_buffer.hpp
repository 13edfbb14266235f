// A picture of which triangle each pixel of a view sees.
//
// Instances in view are drawn nearest first, in rounds: what those of a round are hidden by, found in a coarse picture of
// the rounds before, is not drawn. What a picture shows does not hang on that, nor on the number of threads.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "render/clusters.hpp"
#include "render/instances.hpp"
#include "render/rasteriser.hpp"

namespace volery {

constexpr std::uint32_t NO_TRIANGLE = 0xFFFFFFFFu;  // a name

struct Triangle {
  std::int32_t row, face;
};

// What some pixels see, one after another: each triangle once for those of its pixels that come together.
struct SeenTriangles {
  static constexpr int MOST = 256;  // pixels
  int count;
  std::int32_t of[MOST];  // by pixel: number of its triangle here, −1: it sees nothing
  std::uint32_t name[MOST];
  Triangle triangle[MOST];
  const MeshView* mesh[MOST];
  Vec3f normal[MOST];  // unit, in W
};

class VisibilityBuffer {
 public:
  explicit VisibilityBuffer(ClusterTable& clusters) : clusters_(clusters) {}
  // Draw what is in view. first_round: clusters that are drawn before it is asked what they hide; the other arguments
  // are those of an InstanceQuery.
  void draw(const View& view, double far, std::uint32_t mask, std::int32_t ignored_group, double detail,
            std::int64_t first_round);

  bool is_drawn() const { return view_ != nullptr; }
  const View& view() const { return *view_; }
  const Rasteriser& raster() const { return *raster_; }
  std::int64_t clusters_drawn() const { return drawn_; }  // in the last picture
  // Nearness 1/x [1/m] and names of what `count` pixels from `at` on see; the nearness is 0 where that is nothing.
  void nearest(std::int64_t at, int count, float* nearness, std::uint32_t* name) const;
  void nearest_at(std::int64_t pixel, float& nearness, std::uint32_t& name) const;
  void find_triangles(const std::uint32_t* name, int count, SeenTriangles& out) const;
  // What was drawn as the hits of rays, each through a pixel of the whole picture.
  void resolve(Array<const float, -1, 3> directions_C, Array<const float, -1> far, Array<const std::int32_t, -1> pixel,
               Array<float, -1> distance, Array<std::int32_t, -1> row, Array<std::int32_t, -1> primitive,
               Array<float, -1, 3> normal, Array<bool, -1> back);

 private:
  struct Listed {  // a cluster in view
    std::uint32_t instance;
    std::int32_t cluster;
    Sphere sphere_C;
  };
  void prepare(const View& view);
  void list(const Frustum& frustum, std::size_t first, std::size_t end);
  void list_instance(const Frustum& frustum, std::uint32_t number, std::vector<Listed>& found) const;
  void draw_round(std::int64_t first, std::int64_t last);
  void draw_cluster(int layer, const Listed& item);
  void fetch(const Listed& item) const;
  void cover();
  bool hidden(const Sphere& sphere_C) const;
  std::int64_t layer_size() const { return view_->pixels() + RasterTarget::MARGIN; }
  RasterTarget layer(int number) {
    return {nearness_.get() + number * layer_size(), name_.get() + number * layer_size()};
  }

  ClusterTable& clusters_;
  std::unique_ptr<View> view_;
  std::unique_ptr<Rasteriser> raster_;
  std::vector<Instance> instances_;  // in view, nearest first
  std::vector<std::uint32_t> instance_of_;     // by the number of a cluster
  std::vector<Listed> listed_;       // of some of them
  std::int64_t drawn_ = 0;
  // Each thread draws into a picture of its own; of all of them the nearest counts.
  int layers_ = 0;
  std::int64_t room_ = 0;
  std::unique_ptr<float[]> nearness_;
  std::unique_ptr<std::uint32_t[]> name_;
  bool covers_ = false;         // whether `covered_` is of this picture
  std::vector<float> covered_;  // least nearness in each tile of what was drawn
};

}  // namespace volery
