// Which faces of a mesh have an inside behind them.
#pragma once
#include "core/arrays.hpp"

namespace volery {

// For each face: 1 its part of the mesh is closed, seen from outside; −1 closed but inside out; 0 a sheet.
void face_sides(Array<const float, -1, 3> vertices, Array<const std::uint32_t, -1, 3> faces, Array<std::int8_t, -1> sides);

}  // namespace volery
