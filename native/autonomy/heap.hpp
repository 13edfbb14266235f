#pragma once
#include <cstdint>
#include <vector>

namespace volery {

// Cells by cost, the cheapest first.
class CellHeap {
 public:
  std::size_t size() const { return entries_.size(); }
  void push(std::int64_t cell, float cost) {
    std::size_t at = entries_.size();
    entries_.emplace_back();
    for (std::size_t up; at > 0 && entries_[up = (at - 1) / 2].cost > cost; at = up) entries_[at] = entries_[up];
    entries_[at] = {cell, cost};
  }
  std::int64_t pop() {
    const std::int64_t first = entries_[0].cell;
    const Entry last = entries_.back();
    entries_.pop_back();
    const std::size_t n = entries_.size();
    if (n == 0) return first;
    std::size_t at = 0;
    for (std::size_t child; (child = 2 * at + 1) < n; at = child) {
      if (child + 1 < n && entries_[child + 1].cost < entries_[child].cost) ++child;
      if (entries_[child].cost >= last.cost) break;
      entries_[at] = entries_[child];
    }
    entries_[at] = last;
    return first;
  }

 private:
  struct Entry {
    std::int64_t cell;
    float cost;
  };
  std::vector<Entry> entries_;
};

}  // namespace volery
