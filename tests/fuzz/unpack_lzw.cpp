// Coverage-guided fuzzing of what parses outside bytes in the native core: TIFF's LZW (scripts/fuzz).
#include <cstdlib>
#include <vector>

#include "world/geotiff.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  // The first two bytes say how much room there is.
  std::vector<std::uint8_t> in(data + 2, data + size), out(data[0] * 256 + data[1]);
  volery::Array<const std::uint8_t, -1> packed{in.data(), {std::int64_t(in.size())}};
  volery::Array<std::uint8_t, -1> room{out.data(), {std::int64_t(out.size())}};
  const std::int64_t written = volery::unpack_lzw(packed, room);
  if (written < -1 || written > std::int64_t(out.size())) std::abort();
  return 0;
}
