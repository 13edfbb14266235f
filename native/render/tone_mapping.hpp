// From light to a picture: rays to pixels, brightness and exposure.
#pragma once
#include <cstdint>

#include "core/arrays.hpp"

namespace volery {

// Add colours of rays to pixels from row `first` on of a picture of that width: the mean of over² rays, times a weight.
// rays: which ray each place of the finer picture has, row by row.
void gather_rays(Array<const float, -1, 3> colour, Array<const std::int32_t, -1> rays, std::int64_t width,
                 std::int64_t over, float weight, std::int64_t first, Array<float, -1, 3> linear);

// Geometric mean of the green of a picture, by every second row and column.
double mean_brightness(Array<const float, -1, -1, 3> linear);

// Display colours by a table over the leading bits of float32 light. first_bits: those of its first entry; dropped: how
// many bits of the light it does not look at.
void expose(Array<const float, -1, -1, 3> linear, float gain, Array<const std::uint8_t, -1> table,
            std::int64_t first_bits, int dropped, Array<std::uint8_t, -1, -1, 3> rgb);

}  // namespace volery
