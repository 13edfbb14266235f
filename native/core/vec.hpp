// Small vectors, so that formulas read as in the books. Names carry frames as in Python: X_WB is the pose of B in W,
// p_WB its position, R_WB its axes, q_WB its quaternion (scalar first).
#pragma once
#include <cmath>

namespace volery {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};
  T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
  Vec3& operator*=(T s) { return *this = *this * s; }
  friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend Vec3 operator*(T s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend Vec3 operator*(const Vec3& a, T s) { return {a.x * s, a.y * s, a.z * s}; }
  friend Vec3 operator/(const Vec3& a, T s) { return {a.x / s, a.y / s, a.z / s}; }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T norm2(const Vec3<T>& a) {
  return dot(a, a);
}
template <class T>
T norm(const Vec3<T>& a) {
  return std::sqrt(dot(a, a));
}
template <class T>
Vec3<T> unit(const Vec3<T>& a) {
  return a / norm(a);
}

template <class T>
struct Mat3 {
  Vec3<T> rows[3];
  T& operator()(int i, int j) { return rows[i][j]; }
  const T& operator()(int i, int j) const { return rows[i][j]; }
  static Mat3 identity() { return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }
  Vec3<T> column(int j) const { return {rows[0][j], rows[1][j], rows[2][j]}; }
  friend Vec3<T> operator*(const Mat3& m, const Vec3<T>& v) {
    return {dot(m.rows[0], v), dot(m.rows[1], v), dot(m.rows[2], v)};
  }
  friend Mat3 operator*(const Mat3& a, const Mat3& b) {
    Mat3 c;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) c(i, j) = dot(a.rows[i], b.column(j));
    return c;
  }
};
template <class T>
Mat3<T> transpose(const Mat3<T>& m) {
  return {{m.column(0), m.column(1), m.column(2)}};
}
// m^T v without making m^T: R_WB^T takes a vector of W into B.
template <class T>
Vec3<T> transposed_times(const Mat3<T>& m, const Vec3<T>& v) {
  return v.x * m.rows[0] + v.y * m.rows[1] + v.z * m.rows[2];
}

template <class T>
struct Quat {  // scalar first
  T w{1}, x{}, y{}, z{};
};
template <class T>
Quat<T> operator*(const Quat<T>& a, const Quat<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
Quat<T> conjugate(const Quat<T>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class T>
Vec3<T> rotate(const Quat<T>& q, const Vec3<T>& v) {
  const Vec3<T> u{q.x, q.y, q.z}, t = T(2) * cross(u, v);
  return v + q.w * t + cross(u, t);
}
template <class T>
Mat3<T> rotation(const Quat<T>& q) {  // of a unit quaternion
  const T w = q.w, x = q.x, y = q.y, z = q.z;
  return {{{T(1) - T(2) * (y * y + z * z), T(2) * (x * y - w * z), T(2) * (x * z + w * y)},
           {T(2) * (x * y + w * z), T(1) - T(2) * (x * x + z * z), T(2) * (y * z - w * x)},
           {T(2) * (x * z - w * y), T(2) * (y * z + w * x), T(1) - T(2) * (x * x + y * y)}}};
}

// A pose as numpy has it: the first three rows of the 4x4 matrix.
template <class T>
struct Pose {
  T m[3][4];
  Vec3<T> p() const { return {m[0][3], m[1][3], m[2][3]}; }
  Mat3<T> R() const {
    return {{{m[0][0], m[0][1], m[0][2]}, {m[1][0], m[1][1], m[1][2]}, {m[2][0], m[2][1], m[2][2]}}};
  }
  friend Vec3<T> operator*(const Pose& X, const Vec3<T>& v) {
    const auto& m = X.m;
    return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z + m[0][3],
            m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z + m[1][3],
            m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z + m[2][3]};
  }
};

template <class To, class From>
Vec3<To> as(const Vec3<From>& v) {
  return {To(v.x), To(v.y), To(v.z)};
}
template <class To, class From>
Mat3<To> as(const Mat3<From>& m) {
  return {{as<To>(m.rows[0]), as<To>(m.rows[1]), as<To>(m.rows[2])}};
}

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;
using Mat3d = Mat3<double>;
using Mat3f = Mat3<float>;
using Quatd = Quat<double>;
using Posed = Pose<double>;

// What numpy's rows of three and of nine are, without copying them.
inline const Vec3d& vec3(const double* p) { return *reinterpret_cast<const Vec3d*>(p); }
inline Vec3d& vec3(double* p) { return *reinterpret_cast<Vec3d*>(p); }
inline const Vec3f& vec3(const float* p) { return *reinterpret_cast<const Vec3f*>(p); }
inline Vec3f& vec3(float* p) { return *reinterpret_cast<Vec3f*>(p); }
inline const Mat3d& mat3(const double* p) { return *reinterpret_cast<const Mat3d*>(p); }
inline Mat3d& mat3(double* p) { return *reinterpret_cast<Mat3d*>(p); }
inline const Posed& pose(const double* p) { return *reinterpret_cast<const Posed*>(p); }
inline const Quatd& quat(const double* p) { return *reinterpret_cast<const Quatd*>(p); }
inline Quatd& quat(double* p) { return *reinterpret_cast<Quatd*>(p); }

}  // namespace volery
