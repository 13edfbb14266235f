#include "contact/scanbody.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace volery::contact {
namespace {

constexpr double SETTLE = 5e-3;  // time constant of the damping along the surface while friction holds [s]
// A surface that stands so upright on the robot's skin (cosine) does not tell by it which side of it is solid.
constexpr double LEVEL = 0.02;

using Vec6 = std::array<double, 6>;
using Mat6 = std::array<Vec6, 6>;

Vec6 six(const Screw& s) {
  return {s.linear.x, s.linear.y, s.linear.z, s.angular.x, s.angular.y, s.angular.z};
}
Screw screw(const Vec6& s) { return {{s[0], s[1], s[2]}, {s[3], s[4], s[5]}}; }
Screw operator+(const Screw& a, const Screw& b) { return {a.linear + b.linear, a.angular + b.angular}; }
Screw operator*(double s, const Screw& a) { return {s * a.linear, s * a.angular}; }
// A rigid displacement or velocity at a place r.
Vec3d moved(const Screw& field, const Vec3d& r) { return field.linear + cross(field.angular, r); }
void add_force(const Vec3d& f, const Vec3d& r, Screw& wrench) {
  wrench.linear += f;
  wrench.angular += cross(r, f);
}

// Add Jᵀ(along·n nᵀ + across·(1 − n nᵀ))J, J = [1, −r×]: a spring or damper at r, in the body's six coordinates.
void add_matrix(const Vec3d& n, const Vec3d& r, double along, double across, Mat6& M) {
  const Vec6 line = six({n, cross(r, n)});
  const double part = along - across;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) M[i][j] += part * line[i] * line[j];
  if (across == 0) return;
  const double square = norm2(r);
  for (int i = 0; i < 3; ++i) {
    M[i][i] += across;
    M[3 + i][3 + i] += across * square;
    for (int j = 0; j < 3; ++j) M[3 + i][3 + j] -= across * r[i] * r[j];
    const int k = (i + 1) % 3, m = (i + 2) % 3;
    M[i][3 + k] += across * r[m];
    M[i][3 + m] -= across * r[k];
    M[3 + k][i] += across * r[m];
    M[3 + m][i] -= across * r[k];
  }
}

// A⁻¹b for a symmetric positive A (Gauss).
Vec6 solve(Mat6 A, Vec6 b) {
  for (int i = 0; i < 6; ++i)
    for (int j = i + 1; j < 6; ++j) {
      const double part = A[j][i] / A[i][i];
      for (int k = i; k < 6; ++k) A[j][k] -= part * A[i][k];
      b[j] -= part * b[i];
    }
  for (int i = 5; i >= 0; --i) {
    for (int k = i + 1; k < 6; ++k) b[i] -= A[i][k] * b[k];
    b[i] /= A[i][i];
  }
  return b;
}

// A piece from the robot's frame into W, relative to C, its normal to where the robot is deeper, or else to C.
void turn(Piece& piece, const Mat3d& R_WB, const Vec3d& com_B, const Patch& patch) {
  piece.place = R_WB * (piece.place - com_B);
  piece.volume *= patch.share;
  piece.area *= patch.share;
  const double up = dot(patch.normal, R_WB * piece.normal), centre = -dot(patch.normal, piece.place);
  piece.normal = (std::abs(up) > LEVEL ? up : centre) > 0 ? patch.normal : -patch.normal;
}

// What the patches cut off the robot, in W, relative to C.
void find_pieces(const VoxelMap& voxels, const std::vector<Patch>& patches, const ScanBody& body, double whole,
                 std::vector<Piece>& pieces) {
  const Mat3d R_WB = rotation(body.q_WB);
  const Vec3d p_WB = body.p_WC - R_WB * body.com_B;
  pieces.clear();
  for (const Patch& patch : patches) {
    Quad local;
    for (int c = 0; c < 4; ++c) local[c] = transposed_times(R_WB, patch.corner[c] - p_WB);
    const std::size_t before = pieces.size();
    cut(voxels, local, whole, pieces);
    for (std::size_t k = before; k < pieces.size(); ++k) turn(pieces[k], R_WB, body.com_B, patch);
  }
}

// Force and torque of contact, and their derivatives by place and velocity.
struct Push {
  Screw wrench;
  Mat6 K{}, D{};
};

// Friction goes by the pressure after dt [s] at the twist `ahead`: in an impact that is far less than now.
Push push(const std::vector<Piece>& pieces, const Screw& twist, const Screw& held, const ScanLaw& law, double friction,
          const Screw& ahead, double dt) {
  Push sum;
  for (const Piece& piece : pieces) {
    const Vec3d &r = piece.place, &n = piece.normal;
    const double later = dot(moved(ahead, r), n);
    const double hold = friction * law.stiffness * std::max(0.0, piece.volume - dt * piece.area * later) *
                        std::max(0.0, 1 - law.damping * later);
    const Vec3d v = moved(twist, r), z = moved(held, r);
    const double vn = dot(v, n), zn = dot(z, n);
    const double press = law.stiffness * piece.volume * std::max(0.0, 1 - law.damping * vn);
    const Vec3d bent = -(z - zn * n + SETTLE * (v - vn * n)) / law.grip;
    const double part = norm(bent);
    add_force(press * n + hold * bent / std::max(part, 1.0), r, sum.wrench);
    const double holds = part < 1 ? hold / law.grip : 0;
    const bool presses = press > 0;
    add_matrix(n, r, presses ? law.stiffness * piece.area : 0, holds, sum.K);
    add_matrix(n, r, presses ? law.stiffness * piece.volume * law.damping : 0, holds * SETTLE, sum.D);
  }
  return sum;
}

// Where the robot was pushed further than friction holds, it slipped: the rigid displacement that fits the rest best,
// each piece counting by its force.
void slip(const std::vector<Piece>& pieces, double grip, Screw& held) {
  Mat6 A{};
  Screw b;
  bool slipped = false;
  for (const Piece& piece : pieces) {
    const Vec3d &r = piece.place, &n = piece.normal;
    Vec3d z = moved(held, r);
    z -= dot(z, n) * n;
    const double length = norm(z);
    add_matrix(n, r, 0, piece.volume, A);
    if (!(length > grip)) continue;
    slipped = true;
    add_force(piece.volume * (grip / length - 1) * z, r, b);
  }
  if (!slipped) return;
  // What no piece tells of stays as it is.
  const double least = 1e-9 * (A[0][0] + A[1][1] + A[2][2]);
  for (int k = 0; k < 6; ++k) A[k][k] += least;
  held = held + screw(solve(A, six(b)));
}

struct Change {
  Screw twist, wrench;  // change of the twist, and the mean force and torque of contact
};

// One implicit Euler step of dt [s].
Change change(const std::vector<Piece>& pieces, const ScanBody& body, const Mat3d& J, const Screw& held,
              const ScanLaw& law, double friction, const Screw& ahead, double dt) {
  const Screw twist{body.v_WC_W, body.w_WB_W};
  Push contact = push(pieces, twist, held, law, friction, ahead, dt);
  const Vec3d weight{0, 0, body.mass * law.gravity}, gyre = cross(body.w_WB_W, J * body.w_WB_W);
  Vec6 b = six({contact.wrench.linear - weight, contact.wrench.angular - gyre});
  const Vec6 now = six(twist);
  Mat6 A;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      b[i] -= dt * contact.K[i][j] * now[j];
      A[i][j] = dt * contact.D[i][j] + dt * dt * contact.K[i][j];
    }
    b[i] *= dt;
  }
  for (int i = 0; i < 3; ++i) {
    A[i][i] += body.mass;
    for (int j = 0; j < 3; ++j) A[3 + i][3 + j] += J(i, j);
  }
  const Vec6 gain = solve(A, b);
  Vec6 wrench = six(contact.wrench);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) wrench[i] -= dt * contact.K[i][j] * (now[j] + gain[j]) + contact.D[i][j] * gain[j];
  return {screw(gain), screw(wrench)};
}

// Turn an attitude by an angular velocity in W over dt.
Quatd turned_by(const Quatd& q, const Vec3d& w, double dt) {
  const double angle = norm(w) * dt, s = angle < 1e-9 ? 0.5 * dt : std::sin(0.5 * angle) * dt / angle;
  const Quatd made = Quatd{std::cos(0.5 * angle), s * w.x, s * w.y, s * w.z} * q;
  const double length = std::sqrt(made.w * made.w + made.x * made.x + made.y * made.y + made.z * made.z);
  return {made.w / length, made.x / length, made.y / length, made.z / length};
}

}  // namespace

std::vector<Patch> patches_near(const VoxelMap& voxels, Table<const Patch> patches, const ScanBody& body,
                                double margin) {
  const Mat3d R_WB = rotation(body.q_WB);
  const Vec3d p_WB = body.p_WC - R_WB * body.com_B;
  std::vector<Patch> near;
  for (const Patch& patch : patches) {
    const Vec3d middle = 0.25 * (patch.corner[0] + patch.corner[1] + patch.corner[2] + patch.corner[3]);
    double radius = 0;
    for (const Vec3d& corner : patch.corner) radius = std::max(radius, norm(corner - middle));
    if (voxels.depth(transposed_times(R_WB, middle - p_WB)).depth > -radius - margin) near.push_back(patch);
  }
  return near;
}

Screw push_of(const VoxelMap& voxels, const std::vector<Patch>& patches, const ScanBody& body, const ScanLaw& law,
              const Screw& held, double whole) {
  std::vector<Piece> pieces;
  find_pieces(voxels, patches, body, whole, pieces);
  const Screw twist{body.v_WC_W, body.w_WB_W};
  return push(pieces, twist, held, law, law.friction, twist, 0).wrench;
}

Screw advance(const VoxelMap& voxels, const std::vector<Patch>& patches, ScanBody& body, const ScanLaw& law,
              Screw& held, double& whole, double dt, std::int64_t count) {
  const double least = body.mass * law.gravity / law.stiffness;
  std::vector<Piece> pieces;
  Screw mean;
  for (std::int64_t step = 0; step < count; ++step) {
    const Mat3d R_WB = rotation(body.q_WB), J = R_WB * body.inertia_B * transpose(R_WB);
    find_pieces(voxels, patches, body, whole, pieces);
    double volume = 0;
    for (const Piece& piece : pieces) volume += piece.volume;
    whole = std::max(volume, least);
    const Screw twist{body.v_WC_W, body.w_WB_W};
    // First without friction, to know how hard the surface will press.
    const Screw ahead = twist + change(pieces, body, J, held, law, 0, twist, dt).twist;
    const Change made = change(pieces, body, J, held, law, law.friction, ahead, dt);
    body.v_WC_W += made.twist.linear;
    body.w_WB_W += made.twist.angular;
    mean = mean + (1.0 / double(count)) * made.wrench;
    body.p_WC += dt * body.v_WC_W;
    body.q_WB = turned_by(body.q_WB, body.w_WB_W, dt);
    held = pieces.empty() ? Screw{} : held + dt * Screw{body.v_WC_W, body.w_WB_W};
    slip(pieces, law.grip, held);
  }
  return mean;
}

}  // namespace volery::contact
