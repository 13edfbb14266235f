#pragma once
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/arrays.hpp"
#include "core/noise.hpp"

namespace volery {

// A hash table of numbers of things, at most half full: the first of each place is found again.
class Slots {
 public:
  explicit Slots(std::int64_t count) {
    std::size_t size = 16;
    while (size < 2 * std::size_t(count)) size *= 2;
    numbers_.assign(size, -1);
  }
  // The number noted at this place, where same(number) tells; else n, which is noted.
  template <class Same>
  std::int32_t first(std::int64_t a, std::int64_t b, std::int64_t c, std::int32_t n, const Same& same) {
    const std::size_t mask = numbers_.size() - 1;
    std::size_t at = std::size_t(hash_cell(0, a, b, c)) & mask;
    while (numbers_[at] >= 0 && !same(numbers_[at])) at = (at + 1) & mask;
    if (numbers_[at] < 0) numbers_[at] = n;
    return numbers_[at];
  }

 private:
  std::vector<std::int32_t> numbers_;
};

// Numbers of vertices come from files that users give.
template <class A>
void need_vertices_below(const A& numbers, std::int64_t count, const char* what) {
  std::uint32_t most = 0;
  for (std::uint32_t v : numbers) most = v > most ? v : most;
  need(numbers.empty() || std::int64_t(most) < count, what);
}

inline void need_vertex_count(std::int64_t count) { need(count >= 0 && count < (1ll << 31), "count: out of range"); }

}  // namespace volery
