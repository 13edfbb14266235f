// A bare Embree loop, as one would write it for one purpose: the measure for the sensor path in `volery bench rays`.
#pragma once
#include "core/arrays.hpp"
#include "rays/scene.hpp"

namespace volery {

// Nearest distances of rays given in the scene's own frame, and nothing else.
void bare_cast(const TopScene& scene, Array<const float, -1, 3> origins, Array<const float, -1, 3> directions, float far,
               bool coherent, Array<float, -1> distance);

}  // namespace volery
