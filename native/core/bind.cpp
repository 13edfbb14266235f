#include "core/bind.hpp"

#include "core/noise.hpp"
#include "core/pool.hpp"

namespace volery {

static std::string text_of(nb::handle object) {
  const nb::object text = nb::steal(PyObject_Str(object.ptr()));
  const char* utf8 = text.is_valid() ? PyUnicode_AsUTF8(text.ptr()) : nullptr;
  if (!utf8) PyErr_Clear();
  return utf8 ? utf8 : "?";
}

std::string misfit_words(Misfit misfit, void* source, const std::string& wanted) {
  const nb::handle given(static_cast<PyObject*>(source));
  std::string got;
  if (misfit == Misfit::no_array) {
    got = "a " + text_of(given.type().attr("__name__"));
  } else {
    got = text_of(nb::getattr(given, "dtype", nb::str("bytes"))) + " of shape " +
          text_of(nb::getattr(given, "shape", nb::str("?")));
    if (misfit == Misfit::layout) got += ", which is not C-contiguous";
    if (misfit == Misfit::read_only) got += ", which is read-only";
  }
  return "expected " + wanted + ", got " + got;
}

namespace {


void fractal2(Array<const double, -1> x, Array<const double, -1> y, std::int64_t seed, std::int64_t count,
              double frequency, Array<double, -1> out) {
  need_size(y, x.size(), "y");
  need_size(out, x.size(), "out");
  for (std::int64_t n = 0; n < x.size(); ++n) {
    double total = 0, weight = 1, f = frequency;
    for (std::int64_t o = 0; o < count; ++o, weight *= 0.5, f *= 2) total += weight * perlin2(x[n] * f, y[n] * f, seed + o);
    out[n] = total;
  }
}

void fractal3(Array<const double, -1> x, Array<const double, -1> y, Array<const double, -1> z, std::int64_t seed,
              std::int64_t count, double frequency, Array<double, -1> out) {
  need_size(y, x.size(), "y");
  need_size(z, x.size(), "z");
  need_size(out, x.size(), "out");
  for (std::int64_t n = 0; n < x.size(); ++n) {
    double total = 0, weight = 1, f = frequency;
    for (std::int64_t o = 0; o < count; ++o, weight *= 0.5, f *= 2) total += weight * perlin3(x[n] * f, y[n] * f, z[n] * f, seed + o);
    out[n] = total;
  }
}

// So small that letting go of the GIL would cost more than they do.
void bind_noise(nb::module_& m) {
  m.def("hash_cell", &hash_cell, nb::arg("seed"), nb::arg("i"), nb::arg("j"), nb::arg("k"),
        "64 random bits that belong to an integer cell and a seed.");
  m.def("uniform_cell", &uniform_cell, nb::arg("seed"), nb::arg("i"), nb::arg("j"), nb::arg("k"),
        "A number in [0, 1) that belongs to an integer cell and a seed.");
  m.def("perlin2", &perlin2, nb::arg("x"), nb::arg("y"), nb::arg("seed"), "Perlin noise of the plane, within ±0.71.");
  m.def("perlin3", &perlin3, nb::arg("x"), nb::arg("y"), nb::arg("z"), nb::arg("seed"),
        "Perlin noise of space, within ±1.");
  kernel(m, "fractal2", &fractal2, {"x", "y", "seed", "octaves", "frequency", "out"},
         "Sum of octaves of perlin2, each of half the weight and twice the frequency [1/m] of the one before.");
  kernel(m, "fractal3", &fractal3, {"x", "y", "z", "seed", "octaves", "frequency", "out"},
         "Sum of octaves of perlin3, each of half the weight and twice the frequency [1/m] of the one before.");
}

}  // namespace

void bind_core(nb::module_& m) {
  m.def("threads", &threads, "How many threads kernels run on.");
  m.def("most_threads", &most_threads, "How many threads there can be.");
  m.def("set_threads", &set_threads, nb::arg("count"), "Choose how many; results do not depend on it.");
  bind_noise(m);
}

}  // namespace volery
