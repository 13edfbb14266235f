// volery._native: a submodule for each room.
#include "core/bind.hpp"

namespace volery {
void bind_core(nb::module_&);
void bind_world(nb::module_&);
void bind_rays(nb::module_&);
void bind_contact(nb::module_&);
void bind_multirotor(nb::module_&);
void bind_craft(nb::module_&);
void bind_elastic(nb::module_&);
void bind_robots(nb::module_&);
void bind_mujoco(nb::module_&);
void bind_render(nb::module_&);
void bind_sensors(nb::module_&);
void bind_generate(nb::module_&);
void bind_autonomy(nb::module_&);
void bind_viewer(nb::module_&);
void bind_agents(nb::module_&);
}  // namespace volery

NB_MODULE(_native, m) {
  // Simulations that live until the interpreter ends are no leak; tests of memory look for those.
  nb::set_leak_warnings(false);
  m.doc() = "Volery's native core: loops over numbers.";
  const auto room = [&m](const char* name, void (*bind)(nb::module_&)) {
    nb::module_ part = m.def_submodule(name);
    bind(part);
  };
  room("core", volery::bind_core);
  room("world", volery::bind_world);
  room("rays", volery::bind_rays);
  room("contact", volery::bind_contact);
  room("multirotor", volery::bind_multirotor);
  room("craft", volery::bind_craft);
  room("elastic", volery::bind_elastic);
  room("robots", volery::bind_robots);
  room("mujoco", volery::bind_mujoco);
  room("render", volery::bind_render);
  room("sensors", volery::bind_sensors);
  room("generate", volery::bind_generate);
  room("autonomy", volery::bind_autonomy);
  room("viewer", volery::bind_viewer);
  room("agents", volery::bind_agents);
}
