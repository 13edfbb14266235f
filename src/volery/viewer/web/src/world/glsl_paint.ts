/** Shader text for what a surface itself shows: its grain, and where it dissolves. Goes with glsl.ts. */

/** Plants between the eye and the robot that it follows dissolve, and leaves right before the eye. */
export const DISSOLVE = /* glsl */ `
void dissolve(vec3 place, float away, float thin) {
  float share = thin > 0.0 ? 1.0 - smoothstep(0.9, 1.5, away) : 0.0;
  if (focus.w > 0.0) {
    vec3 axis = focus.xyz - cameraPosition;
    float far = length(axis);
    float along = dot(place - cameraPosition, axis) / far;
    float aside = length(place - cameraPosition - axis * (along / far));
    float wide = focus.w * (0.35 + 0.65 * along / far);
    share = max(share, (1.0 - smoothstep(0.6 * wide, wide, aside)) * (1.0 - smoothstep(far - 1.2 * focus.w, far, along)));
  }
  float speckle = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  if (speckle < share * 0.95) discard;
}
`;

/** Grain of a surface: tints its colour and tilts its normal. */
export const GRAIN = /* glsl */ `
vec3 tinted(int kind, float strength, float a, float c) {
  float factor = 1.0 + strength * 0.45 * (a + c);
  vec3 tint = vec3(1.0);
  if (kind == 2) factor = 1.0 + strength * (1.1 * (min(abs(a + 0.5 * c), 1.0) - 0.5) + 0.25 * c);
  else if (kind == 7) tint = vec3(1.0 + 0.2 * a * strength, 1.0, 1.0 - 0.2 * a * strength);
  else if (kind == 4) tint += vec3(0.4, 0.15, -0.1) * strength * clamp(0.7 * a + 0.5 * c - 0.1, 0.0, 1.0);
  else if (kind == 6) tint += vec3(0.4, 0.1, -0.1) * strength * clamp(1.4 * a + 0.6 * c - 0.7, 0.0, 1.0);
  return tint * max(factor, 0.15);
}

float mortar(float along, float z) {
  float course = floor(z / 0.08);
  float u = fract(along / 0.25 + 0.5 * mod(course, 2.0));
  float v = fract(z / 0.08);
  return u < 0.05 || v < 0.13 ? 0.7 : 0.0;
}

void paint(vec3 at, float away, float strength, float frequency, int kind, inout vec3 colour, inout vec3 normal) {
  if (strength <= 0.0) return;
  strength *= 0.65;
  float along = kind == 2 ? 0.125 : 1.0;
  vec3 u = at * frequency * 8.0 * vec3(1.0, 1.0, along);
  vec4 coarse = noise(u);
  float c = 0.0;
  vec3 slope = coarse.yzw;
  if (kind != 7) {
    vec4 fine = noise(u * 7.25);
    c = fine.x;
    slope += fine.yzw;
  }
  colour *= tinted(kind, strength, coarse.x, c);
  if (kind == 5 && abs(normal.z) < 0.5) {
    float fade = 1.0 / (1.0 + away * away * 0.004);
    colour = mix(colour, vec3(0.35), fade * mortar(abs(normal.y) > abs(normal.x) ? at.x : at.y, at.z));
  }
  vec3 tilt = slope * 0.5 * strength * vec3(1.0, 1.0, along);
  normal = normalize(normal * (1.0 + dot(tilt, normal)) - tilt);
}
`;
