// Numbers of several drones side by side, so that one instruction moves them all. Formulas are templates over double
// (one drone) and Lane (several): the same operations in the same order, so a drone's numbers do not depend on its
// neighbours.
#pragma once
#include <cmath>

namespace volery {

// Two registers of four, so that one is worked on while the other waits for a root or a quotient.
struct Lane {
  static constexpr int count = 8;
  typedef double Four __attribute__((vector_size(32)));
  typedef decltype(Four{} < Four{}) Ones;
  struct Mask {  // all ones or zeros
    Ones a, b;
    friend Mask operator&(Mask x, Mask y) { return {x.a & y.a, x.b & y.b}; }
    Mask operator!() const { return {~a, ~b}; }
  };
  Four a{}, b{};

  Lane() = default;
  Lane(double x) : a{x, x, x, x}, b(a) {}  // NOLINT: numbers that all share
  Lane(Four x, Four y) : a(x), b(y) {}
  Lane& operator+=(Lane y) { return *this = *this + y; }
  friend Lane operator+(Lane x, Lane y) { return {x.a + y.a, x.b + y.b}; }
  friend Lane operator-(Lane x, Lane y) { return {x.a - y.a, x.b - y.b}; }
  friend Lane operator-(Lane x) { return {-x.a, -x.b}; }
  friend Lane operator*(Lane x, Lane y) { return {x.a * y.a, x.b * y.b}; }
  friend Lane operator/(Lane x, Lane y) { return {x.a / y.a, x.b / y.b}; }
  friend Mask operator<(Lane x, Lane y) { return {x.a < y.a, x.b < y.b}; }
  friend Mask operator>(Lane x, Lane y) { return {x.a > y.a, x.b > y.b}; }
  friend Mask operator>=(Lane x, Lane y) { return {x.a >= y.a, x.b >= y.b}; }
  friend Mask operator==(Lane x, Lane y) { return {x.a == y.a, x.b == y.b}; }
  friend Mask operator!=(Lane x, Lane y) { return {x.a != y.a, x.b != y.b}; }
};

inline Lane select(Lane::Mask which, Lane x, Lane y) { return {which.a ? x.a : y.a, which.b ? x.b : y.b}; }
inline double select(bool which, double a, double b) { return which ? a : b; }

template <class L>
L least(L a, L b) {
  return select(a < b, a, b);
}
template <class L>
L most(L a, L b) {
  return select(a > b, a, b);
}
template <class L>
L within(L a, L low, L high) {
  return least(most(a, low), high);
}
template <class L>
L magnitude(L a) {
  return most(a, -a);
}

inline double root(double a) { return std::sqrt(a); }
inline Lane::Four root(Lane::Four a) {
  return Lane::Four{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
}
inline Lane root(Lane a) { return {root(a.a), root(a.b)}; }

// Of a drone in a lane.
inline void put(double& x, int, double value) { x = value; }
inline void put(Lane& x, int l, double value) {
  if (l < 4) x.a[l] = value;
  else x.b[l - 4] = value;
}
inline double at(double x, int) { return x; }
inline double at(const Lane& x, int l) { return l < 4 ? x.a[l] : x.b[l - 4]; }


// A function of the library, lane by lane.
template <class F>
double each(F f, double a) {
  return f(a);
}
template <class F>
double each(F f, double a, double b) {
  return f(a, b);
}
template <class F, class... Lanes>
Lane each(F f, const Lane& a, const Lanes&... more) {
  Lane out;
  for (int l = 0; l < Lane::count; ++l) put(out, l, f(at(a, l), at(more, l)...));
  return out;
}

}  // namespace volery
