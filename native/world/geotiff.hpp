#pragma once
#include <cstdint>

#include "core/arrays.hpp"

namespace volery {

// TIFF's LZW (most significant bit first, early change): bytes written, or −1 if the data are broken.
std::int64_t unpack_lzw(Array<const std::uint8_t, -1> data, Array<std::uint8_t, -1> out);

}  // namespace volery
