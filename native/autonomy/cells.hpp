// Cells of a grid without end, and a table from them to numbers.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/vec.hpp"

namespace volery {

using Cell = std::array<std::int64_t, 3>;

// The whole number below; what has none (NaN, or beyond all measure) is 0.
inline std::int64_t cell_index(double x) { return std::abs(x) < 1e15 ? std::int64_t(std::floor(x)) : 0; }

inline Cell cell_at(const Vec3d& p, double edge) {
  return {cell_index(p.x / edge), cell_index(p.y / edge), cell_index(p.z / edge)};
}

// One number for a cell whose own are within ± 2²⁰; never negative.
inline std::int64_t cell_key(const Cell& cell) {
  constexpr std::uint64_t HALF = 1u << 20, MASK = (1u << 21) - 1;
  std::uint64_t key = 0;
  for (std::int64_t n : cell) key = key << 21 | ((std::uint64_t(n) + HALF) & MASK);
  return std::int64_t(key);
}

// Found in about one look, and so is that a cell is missing: never more than an eighth full.
class CellTable {
 public:
  explicit CellTable(std::size_t capacity = 1 << 12) : entries_(capacity) {}  // a power of two

  std::int64_t find(std::int64_t key) const {  // −1: not there
    return entries_[place(key)].value;
  }
  // The number of a key; one that is new gets `value`.
  std::int64_t insert(std::int64_t key, std::int64_t value) {
    Entry& entry = entries_[place(key)];
    if (entry.key == key) return entry.value;
    entry = {key, value};
    if (8 * ++count_ > entries_.size()) grow();
    return value;
  }

 private:
  struct Entry {
    std::int64_t key = -1, value = -1;
  };
  std::size_t place(std::int64_t key) const {  // where it is, or where it would be put
    const std::size_t last = entries_.size() - 1;
    std::size_t at = (std::uint64_t(key) * 0x9E3779B97F4A7C15u >> 20) & last;
    while (entries_[at].key != -1 && entries_[at].key != key) at = (at + 1) & last;
    return at;
  }
  void grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old)
      if (entry.key != -1) entries_[place(entry.key)] = entry;
  }

  std::vector<Entry> entries_;
  std::size_t count_ = 0;
};

}  // namespace volery
