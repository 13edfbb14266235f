#include "render/traced_rays.hpp"

namespace volery {

TracedRays::TracedRays(Array<const float, -1, 3> origins_C, Array<const float, -1, 3> directions_C,
                       Array<const double, 3, 3> R_WC, Array<const double, 3> p_WC, Array<const double, 3> origin_W,
                       Array<const float, -1> distance, Array<const std::int32_t, -1> row,
                       Array<const std::int32_t, -1> primitive, Array<const float, -1, 3> normal_W,
                       Array<const bool, -1> back)
    : count_(directions_C.size()),
      directions_C_(&vec3(directions_C.data)),
      R_WC_(mat3(R_WC.data)),
      origin_W_(vec3(origin_W.data)),
      eye_L_(vec3(p_WC.data) - origin_W_),
      own_start_(origins_C.size() > 1),
      distance_(distance.data),
      row_(row.data),
      primitive_(primitive.data),
      normal_W_(&vec3(normal_W.data)),
      back_(back.data) {
  need(origins_C.size() == 1 || origins_C.size() == count_, "origins_C: give one origin, or one for each direction");
  need_size(distance, count_, "distance");
  need_size(row, count_, "row");
  need_size(primitive, count_, "primitive");
  need_size(normal_W, count_, "normal_W");
  need_size(back, count_, "back");
  start_L_.reserve(origins_C.size());
  for (std::int64_t i = 0; i < origins_C.size(); ++i)
    start_L_.push_back(as<float>(R_WC_ * as<double>(vec3(origins_C[i])) + eye_L_));
}

}  // namespace volery
