#include "render/grain_patterns.hpp"

#include <algorithm>
#include <cmath>

#include "render/flakes.hpp"

namespace volery {
namespace {

constexpr float TEXELS = 8;    // of the noise per wave of the grain
constexpr float LIME = 0.35f;  // colour of mortar
constexpr double BED = 0.45;       // mean thickness of a bed of layered rock [m]
constexpr float RIPPLES = 150.0f;  // of dripstone [rad/m]
constexpr FlakeShape LITTER{0.055f, 0.95f, 0.42f}, BLADES{0.035f, 1.0f, 0.1f};

float fading(float size) { return 1.0f / (1.0f + size * size); }
float smooth_step(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}
Vec3f times(const Vec3f& a, const Vec3f& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
Vec3f tinted(const Vec3f& colour, float factor, const Vec3f& tint) {
  return times(colour, tint) * std::max(factor, 0.12f);
}
Vec3f slopes(const GrainPlace& at, float fine = 1.0f) { return at.a.slope + at.c.slope * fine; }

GrainPaint plain(const GrainPlace& at, float g) {
  const float stain = 1.0f + g * (0.4f * (at.a.value + at.c.value) + 0.35f * at.big);
  return {at.colour * std::max(stain, 0.12f), slopes(at)};
}

// Plates between cracks that run along the trunk.
GrainPaint bark(const GrainPlace& at, float g) {
  const float s = at.a.value + 0.6f * at.c.value, height = std::min(std::abs(s), 1.0f);
  const float crack = at.coarse * (1.0f - smooth_step(0.0f, 0.35f, height));
  const float factor = 1.0f + g * (0.5f * (height - 0.5f) * at.coarse + 0.3f * at.c.value - 0.75f * crack);
  const float grey = 0.12f * at.big * at.coarse, sign = std::abs(s) < 1.0f ? (s > 0 ? -2.2f : 2.2f) : 0.0f;
  return {tinted(at.colour, factor, {1.0f - grey, 1.0f, 1.0f + grey}), slopes(at, 2.0f) * sign};
}

// Blocks between cracks, stained over metres.
GrainPaint rock(const GrainPlace& at, float g) {
  const float s = at.a.value + 0.5f * at.c.value;
  const float crack = at.coarse * (1.0f - smooth_step(0.02f, 0.14f, std::abs(s + 0.35f)));
  const float factor = 1.0f + g * (0.45f * s + 0.3f * at.big - 0.5f * crack), warm = 0.1f * (at.big + 0.5f * at.a.value);
  return {tinted(at.colour, factor, {1.0f + warm, 1.0f, 1.0f - warm}), slopes(at, 2.0f) * 1.5f};
}

// A number in [0, 1) of a whole number.
float own_of(std::int32_t k) { return float(cell_hash(k, 31) >> 8 & 0xFFFF) * (1.0f / 65536.0f); }

// Beds of layered rock: how bright each is, and the ledge that it makes with the one below.
struct Bed {
  float tone, ledge, gap;
};

Bed bed_of(const GrainPlace& at) {
  const float z = float(at.p.z / BED) + 1.1f * at.big + 0.35f * at.a.value, number = std::floor(z), up = z - number;
  const float left = fading(at.pixel / (0.35f * float(BED))), own = own_of(std::int32_t(number));
  // A bed juts out more or less than the one below: bevelled over an eighth of it, and dark in the joint.
  const float jut = own - own_of(std::int32_t(number) - 1), edge = 1.0f - smooth_step(0.0f, 0.12f, up);
  return {left * (own - 0.5f), left * edge * jut, left * (1.0f - smooth_step(0.0f, 0.06f, up)) * (0.3f + 0.7f * own)};
}

// Layers of rock that lie, each of its own colour, with cracks across; sediment hides them where it is flat.
GrainPaint strata(const GrainPlace& at, float g) {
  const float clay = smooth_step(0.5f, 0.9f, at.normal.z + 0.14f * at.big + 0.1f * at.a.value + 0.05f * at.c.value);
  const float layer = at.a.value, rough = at.c.value, bare = 1.0f - clay;
  const Bed bed = bed_of(at);
  const float pale = smooth_step(0.6f, 1.2f, layer), ochre = smooth_step(0.1f, 0.9f, -layer + 0.5f * at.big);
  const float dark = smooth_step(1.0f, 1.6f, -layer);
  const float crack = at.fine * (1.0f - smooth_step(0.02f, 0.11f, std::abs(rough + 0.9f * layer + 0.4f)));
  Vec3f tint = Vec3f{1, 1, 1} + (Vec3f{1.45f, 1.4f, 1.3f} - Vec3f{1, 1, 1}) * pale;
  tint = tint + (Vec3f{1.1f, 0.96f, 0.8f} - tint) * (0.8f * ochre);
  tint = tint + (Vec3f{0.45f, 0.42f, 0.42f} - tint) * (0.7f * dark);
  tint = tint + (Vec3f{1, 1, 1} - tint) * (0.75f * clay);
  const float beds = bare * (0.5f * bed.tone - 0.55f * bed.gap - 0.25f * crack);
  const float factor = 1.0f + g * (0.6f * rough + 0.25f * at.big + 0.25f * layer * bare) + beds;
  const Vec3f ledge{0, 0, 3.0f * bare * bed.ledge / std::max(g, 0.1f)};
  return {tinted(at.colour, factor, tint), at.a.slope * (2.2f - 1.6f * clay) + at.c.slope * (3.2f - 1.4f * clay) + ledge};
}

// Flutes and rings of what dripping water left.
GrainPaint dripstone(const GrainPlace& at, float g) {
  const float ring = at.a.value, left = fading(at.pixel / 0.012f);
  // Ripples about as far apart as a finger is wide, never quite level.
  const float phase = float(at.p.z) * RIPPLES + 5.0f * ring + 2.0f * at.c.value + 2.0f * at.big;
  const float some = left * std::clamp(0.5f + ring, 0.0f, 1.0f), ripple = some * std::sin(phase);
  const float factor = 1.0f + g * (0.35f * ring + 0.6f * at.c.value + 0.1f * ripple);
  const float warm = 0.06f * std::clamp(ring + at.big, -1.5f, 1.5f);
  const Vec3f relief{2.4f * at.c.slope.x, 2.4f * at.c.slope.y, 0.6f * at.c.slope.z + 0.3f * some * std::cos(phase)};
  return {tinted(at.colour, factor, {1.0f + warm, 1.0f, 1.0f - 1.6f * warm}), at.a.slope * 2.4f + relief};
}

struct Cover {
  Vec3f colour, slope;
};

Cover litter(const GrainPlace& at, float left) {
  const Flake f = flake_at(LITTER, at.p.x, at.p.y);
  if (!f.there) return {at.colour * (1.0f - 0.6f * left), {}};
  const float tone = (0.45f + 1.25f * f.tone * f.tone) * (0.55f + 0.45f * std::min(4.0f * f.rim, 1.0f));
  const Vec3f tint{tone * (0.88f + 0.22f * f.hue), tone, tone * (1.3f - 0.4f * f.hue)};
  return {at.colour + (times(at.colour, tint) - at.colour) * left, f.slope * left};
}

Cover blades(const GrainPlace& at, float left) {
  const Flake f = flake_at(BLADES, at.p.x, at.p.y);
  const float tone = f.there ? 0.8f + 0.9f * f.tone : 0.6f, dry = f.there ? 0.35f * f.hue * f.hue : 0.0f;
  const Vec3f tint{tone * (1.0f + 0.8f * dry), tone, tone * (1.0f + 0.3f * dry)};
  return {at.colour + (times(at.colour, tint) - at.colour) * left, f.slope * left};
}

// Fallen leaves where the ground is brown, blades where it is green; between them both.
GrainPaint ground(const GrainPlace& at, float g) {
  const float brown = smooth_step(0.9f, 1.15f, at.colour.x / std::max(at.colour.y, 1e-3f) + 0.06f * at.a.value);
  const float lying = smooth_step(0.35f, 0.75f, at.normal.z), patch = 0.75f + 0.25f * std::clamp(at.big, -1.0f, 1.0f);
  const float leaves = brown * lying * patch * fading(at.pixel / 0.022f), turf = (1.0f - brown) * lying * fading(at.pixel / 0.009f);
  Cover cover{at.colour, {}};
  if (leaves > 0.06f) cover = litter(at, leaves);
  if (turf > 0.06f) {
    const Cover grass = blades(at, turf);
    cover = {cover.colour + (grass.colour - at.colour), cover.slope + grass.slope};
  }
  const float dry = g * std::clamp(0.5f * at.a.value + 0.4f * at.c.value + 0.6f * at.big, -1.0f, 1.0f);
  const float factor = 1.0f + g * (0.4f * at.a.value + 0.4f * at.c.value + 0.3f * at.big);
  return {tinted(cover.colour, factor, {1.0f + 0.28f * dry, 1.0f + 0.06f * dry, 1.0f - 0.1f * dry}),
          slopes(at) + cover.slope * (1.4f / std::max(g, 0.1f))};
}

// Every leaf is of a green of its own, and darker along its midrib.
GrainPaint leaf(const GrainPlace& at, float g) {
  const std::uint32_t h = cell_hash(std::int32_t(at.piece), 17);
  const float own = fading(at.pixel / 0.08f), tone = own * (float(h & 255) * (1 / 127.5f) - 1.0f);
  const float yellow = g * (0.25f * at.a.value + 0.5f * own * (float((h >> 8) & 255) * (1 / 127.5f) - 1.0f));
  return {tinted(at.colour, 1.0f + 0.7f * g * tone, {1.0f + 0.6f * yellow, 1.0f + 0.1f * yellow, 1.0f - 0.4f * yellow}), {}};
}

// Share of mortar at a place on a wall of bricks [m].
float mortar(double along, double z) {
  const double course = std::floor(z / 0.08), odd = course - 2.0 * std::floor(course / 2.0);
  const double shift = along / 0.25 + 0.5 * odd, u = shift - std::floor(shift), v = z / 0.08 - course;
  return u < 0.05 || v < 0.13 ? 0.7f : 0.0f;
}

GrainPaint brick(const GrainPlace& at, float g) {
  GrainPaint paint = plain(at, g);
  if (std::abs(at.normal.z) >= 0.5f) return paint;
  const bool along_x = std::abs(at.normal.y) > std::abs(at.normal.x);
  const float share = at.coarse * mortar(along_x ? at.p.x : at.p.y, at.p.z);
  paint.colour = paint.colour + (Vec3f{LIME, LIME, LIME} - paint.colour) * share;
  return paint;
}

}  // namespace

GrainScale grain_scale(Texture kind, float frequency) {
  const float f = frequency * TEXELS;
  switch (kind) {
    case Texture::bark: return {f, f * GRAIN_ALONG, f, 0};
    case Texture::strata: return {f * GRAIN_ACROSS, f, f, 3};
    case Texture::dripstone: return {f * 0.3f, f, f, 2};
    default: return {f, f, f, 6};
  }
}

GrainPaint paint_pattern(const MaterialRow& material, const GrainPlace& at) {
  const float g = material.grain;
  switch (material.kind()) {
    case Texture::bark: return bark(at, g);
    case Texture::rock: return rock(at, g);
    case Texture::strata: return strata(at, g);
    case Texture::dripstone: return dripstone(at, g);
    case Texture::ground: return ground(at, g);
    case Texture::leaf: return leaf(at, g);
    case Texture::brick: return brick(at, g);
    default: return plain(at, g);
  }
}

}  // namespace volery
