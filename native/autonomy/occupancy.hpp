#pragma once
#include <array>
#include <cstdint>
#include <mutex>
#include <tuple>
#include <vector>

#include "autonomy/cells.hpp"
#include "core/arrays.hpp"

namespace volery {

// What is free, what is taken and what nobody has seen: a grid without end, in blocks that are there when needed.
// Evidence is above 0 in taken cells, below 0 in free ones, 0 in unknown ones.
class OccupancyGrid {
 public:
  OccupancyGrid(double cell, double reach, double hollow) : cell_(cell), reach_(reach), hollow_(hollow) {
    need(cell > 0 && reach > 0 && hollow >= 0 && reach / cell < 1e6, "cell, reach: must be positive");
  }
  void add(const Vec3d& origin, Array<const double, -1, 3> ends);
  void copy(const Cell& first, Array<std::int8_t, -1, -1, -1> out) const;
  Made<double, 2> middles(bool taken) const;  // of the cells that are taken, or free [m]
  std::int64_t count(bool taken) const;
  Made<std::int64_t, 2> bounds() const;  // first and last cells of all blocks, [2, 3]; without any [0, 3]

 private:
  static constexpr std::int64_t EDGE = 8, CELLS = EDGE * EDGE * EDGE;
  struct Block {
    std::array<std::int8_t, CELLS> evidence{};
    // The last sweep that told of each cell: of all its beams only one counts, and one that ends there before all that
    // pass, or a twig would never be seen.
    std::array<std::uint8_t, CELLS> sweep{};
    Cell place{};
  };
  static bool is(std::int8_t evidence, bool taken) { return taken ? evidence > 0 : evidence < 0; }
  static Cell block_of(const Cell& at) { return {at[0] >> 3, at[1] >> 3, at[2] >> 3}; }
  Block& block(std::int64_t key, const Cell& at);
  void believe(Block& block, const Cell& at, int evidence);
  void hit(const Vec3d& origin, const Vec3d& end);
  void pass(const Vec3d& origin, const Vec3d& end);

  mutable std::mutex using_;  // Python threads may ask while another adds
  const double cell_, reach_, hollow_;  // [m]
  CellTable table_;
  std::vector<Block> blocks_;
  std::uint8_t sweep_ = 0;
};

}  // namespace volery
