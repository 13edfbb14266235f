// Contacts of many balls with the world, and the room round them, for engines that do without MuJoCo.
#pragma once
#include "contact/world.hpp"

namespace volery::contact {

// The deepest contact of each ball. Written: normal_W, unit, from the world to the ball; depth [m], 0 without contact;
// row of the scene, −1 without contact.
void touch(const ContactWorld& world, Array<const double, -1, 3> p_W, Array<const double, -1> radius,
           Array<double, -1, 3> normal_W, Array<double, -1> depth, Array<std::int64_t, -1> row);

// Gap between each ball and the nearest solid surface, whichever side of it the ball is on. look: how far round a ball
// [m]. Written: gap [m], at most `look`, negative if the surface cuts the ball; normal_W, from there to its centre.
void room(const ContactWorld& world, Array<const double, -1, 3> p_W, Array<const double, -1> radius, double look,
          Array<double, -1> gap, Array<double, -1, 3> normal_W);

}  // namespace volery::contact
