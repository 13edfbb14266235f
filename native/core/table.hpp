// Structs that both sides know: declared once here, with numpy's dtype made from the declaration.
//
//   struct Gust { Vec3d p_W; double speed; };
//   VOLERY_TABLE(Gust, p_W, speed)
//
// and in the room's binding `table<Gust>(m, "Gust")`; Python then has the dtype as `_native.<room>.Gust`.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/vec.hpp"

namespace volery {

struct Field {
  const char* name;
  std::size_t offset;
  const char* code;  // numpy's name of the element's type
  std::vector<int> shape;
};

template <class T>
constexpr const char* type_code() {
  if constexpr (std::is_enum_v<T>) return type_code<std::underlying_type_t<T>>();
  else if constexpr (std::is_same_v<T, bool>) return "?";
  else if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 8 ? "f8" : "f4";
  else if constexpr (std::is_signed_v<T>)
    return sizeof(T) == 8 ? "i8" : sizeof(T) == 4 ? "i4" : sizeof(T) == 2 ? "i2" : "i1";
  else return sizeof(T) == 8 ? "u8" : sizeof(T) == 4 ? "u4" : sizeof(T) == 2 ? "u2" : "u1";
}

template <class T>
struct Layout {
  using Element = T;
  static void extend(std::vector<int>&) {}
};
template <class T, std::size_t N>
struct Layout<T[N]> {
  using Element = typename Layout<T>::Element;
  static void extend(std::vector<int>& shape) {
    shape.push_back(int(N));
    Layout<T>::extend(shape);
  }
};
template <class T>
struct Layout<Vec3<T>> : Layout<T[3]> {};
template <class T>
struct Layout<Quat<T>> : Layout<T[4]> {};
template <class T>
struct Layout<Mat3<T>> : Layout<T[3][3]> {};
template <class T>
struct Layout<Pose<T>> : Layout<T[3][4]> {};

template <class T>
Field field(const char* name, std::size_t offset) {
  Field made{name, offset, type_code<typename Layout<T>::Element>(), {}};
  Layout<T>::extend(made.shape);
  return made;
}

template <class T>
struct TableFields;  // VOLERY_TABLE defines it

}  // namespace volery

#define VOLERY_PARENS ()
#define VOLERY_EXPAND(...) VOLERY_EXPAND4(VOLERY_EXPAND4(VOLERY_EXPAND4(VOLERY_EXPAND4(__VA_ARGS__))))
#define VOLERY_EXPAND4(...) VOLERY_EXPAND3(VOLERY_EXPAND3(VOLERY_EXPAND3(VOLERY_EXPAND3(__VA_ARGS__))))
#define VOLERY_EXPAND3(...) VOLERY_EXPAND2(VOLERY_EXPAND2(VOLERY_EXPAND2(VOLERY_EXPAND2(__VA_ARGS__))))
#define VOLERY_EXPAND2(...) __VA_ARGS__
#define VOLERY_FIELDS(T, name, ...)                                  \
  ::volery::field<decltype(T::name)>(#name, offsetof(T, name)),      \
      __VA_OPT__(VOLERY_FIELDS_AGAIN VOLERY_PARENS(T, __VA_ARGS__))
#define VOLERY_FIELDS_AGAIN() VOLERY_FIELDS
// At the end of a header, in namespace volery.
#define VOLERY_TABLE(T, ...)                                                                      \
  template <>                                                                                     \
  struct TableFields<T> {                                                                         \
    static_assert(std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>);               \
    static std::vector<Field> all() { return {VOLERY_EXPAND(VOLERY_FIELDS(T, __VA_ARGS__))}; }    \
  };
