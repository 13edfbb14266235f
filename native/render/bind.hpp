// What the bindings of this room share.
#pragma once
#include "core/bind.hpp"

namespace volery {

// A class of views into Python's arrays, made from its arguments, which are kept as long as it.
template <class T, std::size_t... I, class... A>
void views_(nb::module_& m, const char* name, const std::array<const char*, sizeof...(A)>& names, const char* doc,
            std::index_sequence<I...>, void (*)(A...)) {
  nb::class_<T>(m, name, doc)
      .def(
          "__init__",
          [names](T* self, A... arguments) {
            (check_argument(arguments, names[I]), ...);
            new (self) T{arguments...};
          },
          nb::arg(names[I])..., nb::keep_alive<1, I + 2>()...);
}
template <class T, class... A>
void views(nb::module_& m, const char* name, std::array<const char*, sizeof...(A)> names, const char* doc) {
  views_<T>(m, name, names, doc, std::index_sequence_for<A...>(), static_cast<void (*)(A...)>(nullptr));
}

void bind_visibility(nb::module_& m);
void bind_light(nb::module_& m);

}  // namespace volery
