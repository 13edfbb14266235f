#include "world/geotiff.hpp"

#include <vector>

namespace volery {
namespace {

constexpr int CLEAR_CODE = 256, END_CODE = 257, FIRST_CODE = 258, MOST_CODES = 4096;

struct Strings {  // of the dictionary: all but its last byte, that byte, how many bytes
  int prefix[MOST_CODES] = {};
  std::uint8_t last[MOST_CODES] = {};
  int length[MOST_CODES];
  int count = FIRST_CODE;

  Strings() {
    for (int& l : length) l = 1;
  }
  // The bytes of a code, the last of them at `end`.
  void write(int code, std::uint8_t* end) const {
    for (; code >= FIRST_CODE; code = prefix[code]) *end-- = last[code];
    *end = std::uint8_t(code);
  }
  void add(int before, std::uint8_t byte) {
    prefix[count] = before;
    last[count] = byte;
    length[count++] = length[before] + 1;
  }
};

class Bits {  // most significant first
 public:
  explicit Bits(Array<const std::uint8_t, -1> data) : data_(data) {}
  int take(int bits) {  // −1 at the end
    if (8 * (data_.size() - at_) + have_ < bits) return -1;
    for (; have_ < bits; have_ += 8) held_ = held_ << 8 | data_[at_++];
    have_ -= bits;
    const int code = int(held_ >> have_);
    held_ &= (1u << have_) - 1;
    return code;
  }

 private:
  Array<const std::uint8_t, -1> data_;
  std::int64_t at_ = 0;
  std::uint32_t held_ = 0;
  int have_ = 0;
};

}  // namespace

std::int64_t unpack_lzw(Array<const std::uint8_t, -1> data, Array<std::uint8_t, -1> out) {
  Bits stream(data);
  Strings strings;
  int bits = 9, previous = -1;
  std::int64_t written = 0;
  while (written < out.size()) {
    const int code = stream.take(bits);
    if (code < 0 || code == END_CODE) break;
    if (code == CLEAR_CODE) {
      strings.count = FIRST_CODE, bits = 9, previous = -1;
      continue;
    }
    const bool next = code == strings.count;  // the one that this step adds
    if (code > strings.count || (previous < 0 && code > 255) || (next && strings.count == MOST_CODES)) return -1;
    const int known = next ? previous : code, size = strings.length[known] + next;
    if (written + size > out.size()) return -1;
    strings.write(known, &out[written + strings.length[known] - 1]);
    if (next) out[written + size - 1] = out[written];
    if (previous >= 0 && strings.count < MOST_CODES) strings.add(previous, out[written]);
    written += size;
    previous = code;
    if (strings.count >= (1 << bits) - 1 && bits < 12) ++bits;
  }
  return written;
}

}  // namespace volery
