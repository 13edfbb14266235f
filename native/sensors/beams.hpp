// Beams of light through a scene: on from glass and mirrors, weakened by the air, moved along with the sensor.
//
// Chance is drawn by counting: a reading takes one key from its sensor's generator, and a number is a hash of key, beam
// and purpose. So results depend neither on the order of work nor on what other beams met.
#pragma once
#include "core/arrays.hpp"
#include "core/table.hpp"
#include "core/vec.hpp"
#include "rays/cast.hpp"

namespace volery {

// What a material does to light.
struct Optics {
  float reflectivity, transparency, mirror;
  std::int32_t label;  // number of its segmentation class
};
VOLERY_TABLE(Optics, reflectivity, transparency, mirror, label)

// Where a beam has come to.
struct BeamEnd {
  float path;             // length so far [m]; infinite: it met nothing
  float cosine;           // of the incidence on the surface that it ended at
  std::int32_t material;  // or NOTHING or HAZE
  std::int32_t row;       // of the scene's tables; −1: none
  std::int32_t entered;   // row of the pane that it is inside; −1: none
};
VOLERY_TABLE(BeamEnd, path, cosine, material, row, entered)

constexpr std::int32_t NOTHING = -1, HAZE = -2;  // no surface was met; a drop, flake or grain in the air was

// What becomes of beams at glass and mirrors: they pass or are mirrored by chance, by their shares; always do so where
// the shares make more than half; never.
enum class Glass : int { share = 0, pass = 1, stop = 2 };


struct Receiver {
  double sensitivity;  // reflectivity that is just noticed at max_range; 0: all is noticed
  double min_range, max_range;
  double full_power_range, range_exponent;  // beyond that range intensity falls by this power
  double dropout;                           // chance that a beam tells nothing
  double extinction;                        // of the air [1/m]
};
VOLERY_TABLE(Receiver, sensitivity, min_range, max_range, full_power_range, range_exponent, dropout, extinction)

// Take the hits of the first `count` beams at their surface number `surface`: note where each ends and write down those
// that go on. Returns how many do. At the first surface the beams are all beams, later those of `which`.
std::int64_t follow_beams(const SceneTables& tables, Table<const Optics> optics, std::int64_t surface, bool last,
                          std::int64_t count, Array<const float, -1, 3> origins_S, Array<const float, -1, 3> directions_S,
                          Array<const double, 3, 3> R_WS, double max_range, int glass, std::uint64_t key,
                          const HitArrays& hits, Table<BeamEnd> ends, Array<std::int32_t, -1> which,
                          Array<float, -1, 3> next_origins, Array<float, -1, 3> next_directions,
                          Array<float, -1> next_far);

// What the receiver tells of beams that ended; NaN, 0 and −1 where it notices nothing.
void receive_echoes(const SceneTables& tables, Table<const Optics> optics, Table<const BeamEnd> ends,
                    Table<const Receiver> receiver, std::uint64_t key, Array<float, -1> range, Array<float, -1> intensity,
                    Array<std::int32_t, -1> label, Array<std::int32_t, -1> object);

// Even numbers of [0, 1) for false returns, one a beam.
void false_return_chances(std::uint64_t key, Array<double, -1> chance);

// Beams as seen from the sensor's pose at the stamp, each from the pose of its own time [s before the stamp]. v, w:
// velocity and angular velocity of the robot's root; lever: from the root to the sensor; all in S at the stamp.
void move_beams(Array<const float, -1, 3> directions, Array<const std::int32_t, -1> firing, Array<const double, -1> time,
                Array<const double, 3> v_S, Array<const double, 3> w_S, Array<const double, 3> lever_S,
                Array<float, -1, 3> moved_origins, Array<float, -1, 3> moved_directions);

// Points at the end of beams: R·(o + d·range) + p; NaN where the range is.
template <class T>
void place_points(Array<const float, -1> range, Array<const float, -1, 3> origins, Array<const float, -1, 3> directions,
                  Array<const double, 3, 3> R, Array<const double, 3> p, Array<T, -1, 3> points);

}  // namespace volery
