// The border between Python and the kernels. Included by the bindings (<room>/bind.cpp) only.
//
// `kernel(m, "name", &function, {"argument", …}, "doc")` makes a function of Python that checks its arrays, releases the
// GIL and calls the C++ function. What does not fit is an error that names the argument.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include "core/arrays.hpp"
#include "core/table.hpp"

namespace nb = nanobind;

namespace volery {

template <class T>
constexpr auto numpy_name() {
  using namespace nb::detail;
  using U = std::remove_const_t<T>;
  if constexpr (std::is_same_v<U, bool>) return const_name("numpy.bool");
  else if constexpr (std::is_same_v<U, double>) return const_name("numpy.float64");
  else if constexpr (std::is_same_v<U, float>) return const_name("numpy.float32");
  else if constexpr (std::is_signed_v<U>) return const_name("numpy.int") + const_name<8 * sizeof(U)>();
  else return const_name("numpy.uint") + const_name<8 * sizeof(U)>();
}

template <class T>
bool same_element(const Py_buffer& view) {
  using U = std::remove_const_t<T>;
  if (view.itemsize != Py_ssize_t(sizeof(U)) || !view.format) return false;
  const char* code = view.format;
  if (*code == '<' || *code == '=' || *code == '@') ++code;
  if (code[0] == 0 || code[1] != 0) return false;
  const bool is_bool = *code == '?', is_float = *code == 'f' || *code == 'd';
  const bool is_signed = *code == 'b' || *code == 'h' || *code == 'i' || *code == 'l' || *code == 'q';
  const bool is_unsigned = *code == 'B' || *code == 'H' || *code == 'I' || *code == 'L' || *code == 'Q';
  if constexpr (std::is_same_v<U, bool>) return is_bool;
  else if constexpr (std::is_floating_point_v<U>) return is_float;
  else if constexpr (std::is_signed_v<U>) return is_signed;
  else return is_unsigned;
}

template <class T>
inline PyObject* table_dtype = nullptr;  // numpy's, kept for as long as the process lives

struct Buffer {
  Py_buffer view{};
  ~Buffer() {
    if (view.obj) PyBuffer_Release(&view);
  }
  // format: whether the type of the elements is wanted; numpy takes 2 µs to write that of a table of many fields.
  Misfit open(PyObject* source, bool writes, bool format = true) {
    if (!PyObject_CheckBuffer(source)) return Misfit::no_array;
    const int flags = PyBUF_STRIDES | (format ? PyBUF_FORMAT : 0);
    if (PyObject_GetBuffer(source, &view, flags | (writes ? PyBUF_WRITABLE : 0)) == 0) return Misfit::none;
    PyErr_Clear();
    view.obj = nullptr;
    if (writes && PyObject_GetBuffer(source, &view, flags) == 0) return Misfit::read_only;
    PyErr_Clear();
    view.obj = nullptr;
    return Misfit::no_array;
  }
};

template <class T, std::int64_t... Extent>
void take(Array<T, Extent...>& value, Buffer& buffer, PyObject* source) {
  value.source = source;
  value.misfit = buffer.open(source, !std::is_const_v<T>, true);
  if (value.misfit != Misfit::none) return;
  const Py_buffer& view = buffer.view;
  constexpr std::int64_t wanted[] = {Extent...};
  if (!same_element<T>(view)) value.misfit = Misfit::dtype;
  else if (view.ndim != value.N) value.misfit = Misfit::shape;
  else if (!PyBuffer_IsContiguous(&view, 'C')) value.misfit = Misfit::layout;
  if (value.misfit != Misfit::none) return;
  for (int axis = 0; axis < value.N; ++axis) {
    value.shape[axis] = view.shape[axis];
    if (wanted[axis] >= 0 && wanted[axis] != view.shape[axis]) value.misfit = Misfit::shape;
  }
  value.data = static_cast<T*>(view.buf);
}

template <class T>
void take(Table<T>& value, Buffer& buffer, PyObject* source) {
  value.source = source;
  value.misfit = buffer.open(source, !std::is_const_v<T>, false);
  if (value.misfit != Misfit::none) return;
  const Py_buffer& view = buffer.view;
  PyObject* dtype = PyObject_GetAttrString(source, "dtype");
  PyObject* wanted = table_dtype<std::remove_const_t<T>>;
  const bool same = dtype && (dtype == wanted || (wanted && PyObject_RichCompareBool(dtype, wanted, Py_EQ) == 1));
  Py_XDECREF(dtype);
  PyErr_Clear();
  if (!same) value.misfit = Misfit::dtype;
  else if (view.ndim != 1) value.misfit = Misfit::shape;
  else if (!PyBuffer_IsContiguous(&view, 'C')) value.misfit = Misfit::layout;
  if (value.misfit != Misfit::none) return;
  value.shape[0] = view.shape[0];
  value.data = static_cast<T*>(view.buf);
}

std::string misfit_words(Misfit misfit, void* source, const std::string& wanted);

template <class T, std::int64_t... Extent>
std::string wanted_words(const Array<T, Extent...>&) {
  std::string text = numpy_name<T>().text, inside;
  for (std::int64_t extent : {Extent...}) inside += (inside.empty() ? "" : ", ") + (extent < 0 ? "*" : std::to_string(extent));
  return text.substr(6) + " [" + inside + "]";
}
template <class T>
std::string wanted_words(const Table<T>&) {
  std::string names;
  for (const Field& f : TableFields<std::remove_const_t<T>>::all()) names += (names.empty() ? "" : ", ") + std::string(f.name);
  return "rows of the fields " + names;
}

template <class A>
void check_argument(const A&, const char*) {}
template <class T, std::int64_t... Extent>
void check_argument(const Array<T, Extent...>& a, const char* name) {
  if (a.misfit != Misfit::none)
    throw nb::type_error((std::string(name) + ": " + misfit_words(a.misfit, a.source, wanted_words(a))).c_str());
}
template <class T>
void check_argument(const Table<T>& a, const char* name) {
  if (a.misfit != Misfit::none)
    throw nb::type_error((std::string(name) + ": " + misfit_words(a.misfit, a.source, wanted_words(a))).c_str());
}

template <std::size_t... I, class R, class... A>
void kernel_(nb::module_& m, const char* name, R (*function)(A...), const std::array<const char*, sizeof...(A)>& names,
             const char* doc, std::index_sequence<I...>) {
  m.def(
      name,
      [function, names](A... arguments) -> R {
        (check_argument(arguments, names[I]), ...);
        nb::gil_scoped_release released;
        return function(std::forward<A>(arguments)...);
      },
      nb::arg(names[I])..., doc);
}

template <class R, class... A>
void kernel(nb::module_& m, const char* name, R (*function)(A...), std::array<const char*, sizeof...(A)> names,
            const char* doc) {
  kernel_(m, name, function, names, doc, std::index_sequence_for<A...>());
}

// A method of a bound class, checked likewise. The GIL is released if Free; short calls are quicker without.
template <bool Free, class C, class Class, class R, class... A, std::size_t... I, class... Extra>
void method_(Class& bound, const char* name, R (C::*function)(A...), const std::array<const char*, sizeof...(A)>& names,
             const char* doc, std::index_sequence<I...>, const Extra&... extra) {
  bound.def(
      name,
      [function, names](C& self, A... arguments) -> R {
        (check_argument(arguments, names[I]), ...);
        if constexpr (Free) {
          nb::gil_scoped_release released;
          return (self.*function)(std::forward<A>(arguments)...);
        } else {
          return (self.*function)(std::forward<A>(arguments)...);
        }
      },
      nb::arg(names[I])..., doc, extra...);
}

template <bool Free = true, class Class, class C, class R, class... A, class... Extra>
void method(Class& bound, const char* name, R (C::*function)(A...), std::array<const char*, sizeof...(A)> names,
            const char* doc, const Extra&... extra) {
  method_<Free, C>(bound, name, function, names, doc, std::index_sequence_for<A...>(), extra...);
}

// Let Python have the dtype of a struct, under its name.
template <class T>
void table(nb::module_& m, const char* name) {
  nb::list names, formats, offsets;
  for (const Field& f : TableFields<T>::all()) {
    nb::list shape;
    for (int extent : f.shape) shape.append(extent);
    names.append(f.name);
    formats.append(nb::make_tuple(f.code, nb::tuple(shape)));
    offsets.append(f.offset);
  }
  nb::dict about;
  about["names"] = names;
  about["formats"] = formats;
  about["offsets"] = offsets;
  about["itemsize"] = sizeof(T);
  nb::object dtype = nb::module_::import_("numpy").attr("dtype")(about);
  m.attr(name) = dtype;
  table_dtype<T> = dtype.release().ptr();
}

}  // namespace volery

namespace nanobind::detail {

template <class T, std::int64_t... Extent>
struct type_caster<volery::Array<T, Extent...>> {
  using Held = volery::Array<T, Extent...>;
  NB_TYPE_CASTER(Held, const_name("numpy.typing.NDArray[") + volery::numpy_name<T>() + const_name("]"))
  volery::Buffer buffer;
  bool from_python(handle source, std::uint8_t, cleanup_list*) noexcept {
    volery::take(value, buffer, source.ptr());
    return true;
  }
  static handle from_cpp(const Held&, rv_policy, cleanup_list*) noexcept { return nullptr; }
};

template <class T>
struct type_caster<volery::Table<T>> {
  using Held = volery::Table<T>;
  NB_TYPE_CASTER(Held, const_name("numpy.typing.NDArray[numpy.void]"))
  volery::Buffer buffer;
  bool from_python(handle source, std::uint8_t, cleanup_list*) noexcept {
    volery::take(value, buffer, source.ptr());
    return true;
  }
  static handle from_cpp(const Held&, rv_policy, cleanup_list*) noexcept { return nullptr; }
};

template <class T, int N>
struct type_caster<volery::Made<T, N>> {
  using Held = volery::Made<T, N>;
  NB_TYPE_CASTER(Held, const_name("numpy.typing.NDArray[") + volery::numpy_name<T>() + const_name("]"))
  bool from_python(handle, std::uint8_t, cleanup_list*) noexcept { return false; }
  static handle from_cpp(const Held& made, rv_policy, cleanup_list*) noexcept {
    auto* kept = new std::vector<T>(made.data);
    capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    ndarray<numpy, T> array(kept->data(), N, made.shape.data(), owner);
    return array.cast().release();
  }
  static handle from_cpp(Held&& made, rv_policy, cleanup_list*) noexcept {
    auto* kept = new std::vector<T>(std::move(made.data));
    capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    ndarray<numpy, T> array(kept->data(), N, made.shape.data(), owner);
    return array.cast().release();
  }
};

}  // namespace nanobind::detail
