// Arrays of MuJoCo's model and data as kernels see them, found by their names in Python's objects. Bindings only.
#pragma once
#include <string>
#include <vector>

#include "core/bind.hpp"
#include "mujoco/bodies.hpp"
#include "mujoco/library.hpp"

namespace volery {

class Views {
 public:
  // MuJoCo keeps these arrays in one place for as long as its record lives, and numpy's array holds the record.
  template <class A>
  void take(nb::handle record, const char* name, A& array) {
    held_.push_back(record.attr(name));
    Buffer buffer;
    volery::take(array, buffer, held_.back().ptr());
    check_argument(array, name);
  }

 private:
  std::vector<nb::object> held_;
};

inline MujocoRecord record_of(nb::handle model, nb::handle data, const std::string& library) {
  const auto address = [](nb::handle record) {
    return reinterpret_cast<void*>(nb::cast<std::uintptr_t>(record.attr("_address")));
  };
  return {std::make_shared<const MujocoLibrary>(library), address(model), address(data)};
}

inline void take_bodies(Views& views, nb::handle model, nb::handle data, MujocoBodies& bodies) {
  views.take(data, "xpos", bodies.xpos);
  views.take(data, "xipos", bodies.xipos);
  views.take(data, "subtree_com", bodies.subtree_com);
  views.take(data, "xmat", bodies.xmat);
  views.take(data, "cvel", bodies.cvel);
  views.take(data, "xfrc_applied", bodies.xfrc);
  views.take(model, "body_mass", bodies.mass);
  views.take(model, "body_rootid", bodies.root);
}

}  // namespace volery
