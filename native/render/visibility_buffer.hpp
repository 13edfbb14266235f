// A picture of which triangle each pixel of a view sees.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "render/clusters.hpp"
#include "render/rasteriser.hpp"

namespace volery {

constexpr std::uint32_t NO_TRIANGLE = 0xFFFFFFFFu;  // a name

struct Triangle {
  std::int32_t row, face;
};

class VisibilityBuffer {
 public:
  // What a view is to show.
  struct Query {
    double far;                  // [m]
    std::uint32_t mask;          // channels that are seen
    std::int32_t ignored_group;  // −1: none
    std::int64_t most_clusters;  // with more in view, casting rays is quicker
  };
  explicit VisibilityBuffer(ClusterTable& clusters) : clusters_(clusters) {}
  // False, and nothing is drawn, if too much is in view. first_round: clusters that are drawn before it is asked what
  // they hide; the other arguments are those of a Query.
  bool draw(const View& view, double far, std::uint32_t mask, std::int32_t ignored_group, std::int64_t most_clusters,
            std::int64_t first_round);

  bool is_drawn() const { return view_ != nullptr; }
  const View& view() const { return *view_; }
  const Rasteriser& raster() const { return *raster_; }
  // Nearness 1/x [1/m] and names of what `count` pixels from `at` on see; the nearness is 0 where that is nothing.
  void nearest(std::int64_t at, int count, float* nearness, std::uint32_t* name) const;
  void nearest_at(std::int64_t pixel, float& nearness, std::uint32_t& name) const;
  Triangle triangle(std::uint32_t name) const;
  // What was drawn as the hits of rays, each through a pixel of the whole picture.
  void resolve(Array<const float, -1, 3> directions_C, Array<const float, -1> far, Array<const std::int32_t, -1> pixel,
               Array<float, -1> distance, Array<std::int32_t, -1> row, Array<std::int32_t, -1> primitive,
               Array<float, -1, 3> normal, Array<bool, -1> back);

 private:
  struct Listed {  // a cluster in view
    std::int32_t row, cluster;
    Sphere sphere_C;
  };
  bool list(const View& view, const Query& query);
  void draw_round(std::int64_t first, std::int64_t last);
  void draw_layer(int layer, std::int64_t number);
  void cover();
  bool hidden(const Sphere& sphere_C) const;
  RasterTarget layer(int number) {
    return {nearness_.get() + number * view_->pixels(), name_.get() + number * view_->pixels()};
  }

  ClusterTable& clusters_;
  std::unique_ptr<View> view_;
  std::unique_ptr<Rasteriser> raster_;
  std::vector<Listed> listed_;
  // Each thread draws into a picture of its own; of all of them the nearest counts.
  int layers_ = 0;
  std::int64_t room_ = 0;
  std::unique_ptr<float[]> nearness_;
  std::unique_ptr<std::uint32_t[]> name_;
  std::vector<float> covered_;  // least nearness in each tile of what was drawn
};

}  // namespace volery
