// Loads on strips: unsteady thin-aerofoil theory with stall, in the frame of each section.
//
// Per section, at mid-chord: u ahead and w up is the velocity through the air, q the nose-up rate, b half the chord.
// The upwash at three quarters of the chord, Q = b/2·q − w − (induced downwash), makes circulation, which follows by
// Wagner's function in R. T. Jones' two terms; what the wind changes by Küssner's in Sears' two. Of the apparent mass
// m = πρb² per metre, the part that goes with acceleration is in the mass matrix (inertia.hpp); the part m·u·q, which acts at three quarters of the chord, is here.
#pragma once
#include <vector>

#include "elastic/bodies.hpp"
#include "elastic/tables.hpp"

namespace volery::elastic {

// Add the loads of all strips to the bodies, and let their wakes go on by dt [s]. flaps [rad]: by control. dt = 0: the
// wake has settled, as if flown so for ever.
void add_strip_loads(const Bodies& bodies, const std::vector<Strip>& strips, Table<StripAir> air,
                     Array<const double, -1> flaps, double dt);

}  // namespace volery::elastic
