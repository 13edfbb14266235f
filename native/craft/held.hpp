// A craft's flight as Python holds it: the kernels work on its arrays. Bindings only.
#pragma once
#include <vector>

#include "core/bind.hpp"
#include "craft/flight.hpp"
#include "craft/tip.hpp"

namespace volery::craft {

struct HeldFlight {
  explicit HeldFlight(const Craft& craft) : craft(craft) {}

  Craft craft;
  Level level = Level::fly;
  Table<Reference> reference;
  Table<Memory> memory;
  Table<FanState> fans;
  Array<double, -1> angles;
  Table<const Tool> tool;
  Table<Tip> tip;
  Table<Felt> felt;
  Wrench given{};
  contact::Scratch scratch;

  template <class A>
  void hold(nb::object source, const char* name, A& array, std::int64_t count) {
    Buffer buffer;
    take(array, buffer, source.ptr());
    check_argument(array, name);
    need_size(array, count, name);
    held_.push_back(std::move(source));
  }

  Flight flight() { return {level, reference[0], memory[0], fans.data, angles.data}; }

 private:
  std::vector<nb::object> held_;  // the arrays, for as long as they are worked on
};

}  // namespace volery::craft
