// What stands in the way of rays, which shadow maps are made of.
#pragma once
#include "core/arrays.hpp"
#include "rays/scene.hpp"

namespace volery {

// The first thing that does not move along each unit ray in a cell, from `near` to `far` [m]: distance, infinite where
// there is none, instance and triangle.
void trace_standing(const SceneTables& scene, const RayCell& cell, Array<const float, -1, 3> origins_L,
                    Array<const float, -1, 3> directions_L, float near, float far, Array<float, -1> distance,
                    Array<std::int32_t, -1> row, Array<std::int32_t, -1> primitive);

}  // namespace volery
