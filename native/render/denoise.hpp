// Smoothing light that few rays found, guided by what it fell on.
#pragma once
#include "core/arrays.hpp"

namespace volery {

// Light on surfaces is averaged over neighbours of like normal, colour and light (à-trous wavelets of Dammertz 2010) in
// rounds, each with twice the reach of the one before, then falls on the colours again.
void smooth_light(Array<const float, -1, -1, 3> light, Array<const float, -1, -1, 3> albedo,
                  Array<const float, -1, -1, 3> normal, int rounds, Array<float, -1, -1, 3> out);

}  // namespace volery
