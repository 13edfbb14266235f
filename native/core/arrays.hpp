// Numpy's arrays as kernels see them: pointers with shapes. They are checked where they come in (bind.hpp).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace volery {

enum class Misfit : std::uint8_t { none, no_array, dtype, shape, layout, read_only };

// A C-contiguous array; each extent is given, or −1 for any. Only read if T is const.
template <class T, std::int64_t... Extent>
struct Array {
  static constexpr int N = sizeof...(Extent);
  T* data = nullptr;
  std::int64_t shape[N] = {};
  Misfit misfit = Misfit::none;
  void* source = nullptr;  // the Python object, for the words of an error

  std::int64_t size() const {  // of the first axis
    return shape[0];
  }
  std::int64_t count() const {  // of all elements
    std::int64_t all = 1;
    for (auto extent : shape) all *= extent;
    return all;
  }
  bool empty() const { return count() == 0; }
  T& operator[](std::int64_t i) const
    requires(N == 1)
  {
    return data[i];
  }
  T* operator[](std::int64_t i) const  // the row i
    requires(N > 1)
  {
    return data + i * row_count();
  }
  template <class... I>
    requires(sizeof...(I) == N)
  T& operator()(I... index) const {
    std::int64_t offset = 0;
    int axis = 0;
    ((offset = offset * shape[axis++] + std::int64_t(index)), ...);
    return data[offset];
  }
  T* begin() const { return data; }
  T* end() const { return data + count(); }

 private:
  std::int64_t row_count() const {
    std::int64_t all = 1;
    for (int axis = 1; axis < N; ++axis) all *= shape[axis];
    return all;
  }
};

// Rows of a struct that Python sees as a structured array (table.hpp).
template <class T>
struct Table {
  T* data = nullptr;
  std::int64_t shape[1] = {};
  Misfit misfit = Misfit::none;
  void* source = nullptr;

  std::int64_t size() const { return shape[0]; }
  bool empty() const { return shape[0] == 0; }
  T& operator[](std::int64_t i) const { return data[i]; }
  T* begin() const { return data; }
  T* end() const { return data + shape[0]; }
};

// An array that a kernel makes and Python then owns.
template <class T, int N = 1>
struct Made {
  std::vector<T> data;
  std::array<std::size_t, N> shape{};

  Made() = default;
  explicit Made(std::vector<T> values)
    requires(N == 1)
      : data(std::move(values)), shape{data.size()} {}
  Made(std::vector<T> values, std::array<std::size_t, N> extents) : data(std::move(values)), shape(extents) {}
};

// What kernels say of arguments that do not fit together.
inline void need(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// Arrays of one thing each for so many: the error names the one that does not fit.
template <class A>
void need_size(const A& array, std::int64_t count, const char* name) {
  if (array.size() != count)
    throw std::invalid_argument(std::string(name) + ": has " + std::to_string(array.size()) + " rows; expected " +
                                std::to_string(count));
}

}  // namespace volery
