// A rigid body against patches of a scanned surface: pressure, friction that holds, and short implicit steps.
#pragma once
#include "contact/scanpatch.hpp"
#include "contact/scansurface.hpp"

namespace volery::contact {

// A rigid robot and its motion: B is the frame of its mesh, C its centre of mass.
struct ScanBody {
  double mass;      // [kg]
  Mat3d inertia_B;  // about C [kg m²]
  Vec3d com_B;      // [m]
  Vec3d p_WC;
  Quatd q_WB;
  Vec3d v_WC_W, w_WB_W;
};

// How a robot's skin yields and holds.
struct ScanLaw {
  double stiffness;  // pressure per depth [N/m³]
  double damping;    // part of the pressure more per speed of approach [s/m]
  double friction;
  double grip;     // how far it is pushed along the surface before it slips [m]
  double gravity;  // [m/s²]
};

// At C, in W: shift and turn, velocity and angular velocity, or force and torque.
struct Screw {
  Vec3d linear, angular;
};

// The patches of W that come within a margin [m] of the robot.
std::vector<Patch> patches_near(const VoxelMap& voxels, Table<const Patch> patches, const ScanBody& body,
                                double margin);

// Force and torque at this moment. held: how far the robot was pushed along the surface since it got hold; whole:
// volume of all contact as far as known [m³].
Screw push_of(const VoxelMap& voxels, const std::vector<Patch>& patches, const ScanBody& body, const ScanLaw& law,
              const Screw& held, double whole);

// Move a body by `count` implicit Euler steps of dt [s]; returns the mean force and torque of contact. Sets held and
// whole.
Screw advance(const VoxelMap& voxels, const std::vector<Patch>& patches, ScanBody& body, const ScanLaw& law,
              Screw& held, double& whole, double dt, std::int64_t count);

}  // namespace volery::contact

namespace volery {
VOLERY_TABLE(contact::ScanBody, mass, inertia_B, com_B, p_WC, q_WB, v_WC_W, w_WB_W)
VOLERY_TABLE(contact::ScanLaw, stiffness, damping, friction, grip, gravity)
}  // namespace volery
