// Rays from surfaces towards light: the sun, lamps, and all round for one bounce. Points are in the frame L of the
// cell.
#pragma once
#include <cstdint>
#include <vector>

#include "core/arrays.hpp"
#include "rays/cast.hpp"
#include "rays/scene.hpp"
#include "render/movers.hpp"
#include "render/surface_block.hpp"

namespace volery {

// A cone of light from a robot's lamp (world/environment.py).
struct Spotlight {
  Vec3d p_W, ahead_W;
  double cosine;  // of half its angle
  Vec3d light;    // on a surface 1 m ahead
};
VOLERY_TABLE(Spotlight, p_W, ahead_W, cosine, light)

// Some of the surfaces of a picture, to ask about their light.
class SurfacePoints {
 public:
  SurfacePoints(const SurfaceTable& surfaces, const TracedRays& rays);  // all
  SurfacePoints(const SurfaceTable& surfaces, const TracedRays& rays, Array<const std::int64_t, -1> chosen);

  // Find where the light of a direction does not come to, into blocked(); standing: also past what does not move.
  // spread: radius of the light's disc, seen as an angle, by which rays are jittered; seed, first: of the jitter, and
  // number of the first point in the picture.
  void ask_direction(const RayCell& cell, Array<const double, 3> direction_W, double spread, std::int64_t seed,
                     std::int64_t first, bool standing);
  // The same for a lamp at a place.
  void ask_place(const RayCell& cell, Array<const double, 3> p_W, bool standing);
  // Of the lights whose bits a point has (movers.hpp), those that do not come past what moves. Bits in, bits out.
  void ask_movers(const RayCell& cell, Array<const double, 3> sun_W, Table<const Lamp> lamps,
                  Array<std::uint16_t, -1> bits);
  // Add light to that on the points: of a lamp and of a spotlight, where they are not blocked.
  void add_lamp(Array<const double, 3> p_W, Array<const double, 3> power, Array<float, -1, 3> light);
  // What glossy points mirror of the same lamp.
  void add_glint(Array<const double, 3> p_W, Array<const double, 3> power, Array<float, -1, 3> light);
  void add_spotlight(Table<const Spotlight> spot, Array<float, -1, 3> light);
  // Make rays to all round, by cosine, into start(), ray(), far() and weight(). Of `count` that a point sends this is
  // `number`: they share the directions out among them, as do the rays of a pixel and of its neighbours. A leaf sends
  // some of its rays through itself. far is −1 for the sky.
  void bounce(std::int64_t seed, std::int64_t first, std::int64_t count, std::int64_t number);

  std::int64_t count() const { return std::int64_t(material_.size()); }
  std::vector<Vec3f>& way() { return way_; }
  std::vector<Vec3f>& point() { return point_; }
  std::vector<Vec3f>& normal() { return normal_; }
  std::vector<std::int32_t>& material() { return material_; }  // −1: sky
  std::vector<std::uint8_t>& blocked() { return blocked_; }
  std::vector<Vec3f>& start() { return start_; }
  std::vector<Vec3f>& ray() { return ray_; }
  std::vector<float>& far() { return far_; }
  std::vector<float>& weight() { return weight_; }  // what the light of a ray counts

 private:
  struct Target {
    Vec3d at;  // a direction, or a place
    bool place;
    double spread;
    std::int64_t seed, first;
  };
  void find(const TracedRays& rays, const std::int64_t* chosen);
  void ask(const RayCell& cell, const Target& target, bool standing);
  // Cast rays of points first … last − 1 that are wanted; seen(i): what is done with those that the light comes to.
  template <class Wanted, class Seen>
  void cast(PacketCaster& caster, const Target& target, std::int64_t first, std::int64_t last, Wanted wanted,
            Seen seen) const;
  bool aim(const Target& target, std::int64_t i, Vec3f& start, Vec3f& ray, float& far) const;
  Vec3f leave(std::int64_t i, double side, bool leaf) const;

  const SurfaceTable& surfaces_;
  Vec3d eye_L_, origin_W_;
  std::vector<Vec3f> way_, point_, normal_, start_, ray_;
  std::vector<std::int32_t> material_;
  std::vector<std::uint8_t> blocked_;
  std::vector<float> far_, weight_;
};

}  // namespace volery
