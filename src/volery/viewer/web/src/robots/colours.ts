/** A colour for each robot: the same wherever it is shown. */

const HUES = [0.55, 0.08, 0.36, 0.83, 0.15, 0.63, 0.0, 0.46];

/** sRGB 0 to 1 from hue, saturation and lightness 0 to 1. */
function rgb(h: number, s: number, l: number): [number, number, number] {
  const part = (n: number): number => {
    const k = (n + 12 * h) % 12;
    return l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [part(0), part(8), part(4)];
}

const known = new Map<string, [number, number, number]>();

/** Colour of a robot, sRGB 0 to 1, by the order in which robots are first seen. */
export function colourOf(name: string): [number, number, number] {
  let colour = known.get(name);
  if (!colour) {
    const i = known.size;
    colour = rgb((HUES[i % HUES.length] + Math.floor(i / HUES.length) * 0.035) % 1, 0.85, 0.62);
    known.set(name, colour);
  }
  return colour;
}

/** The same as CSS has it. */
export function cssColourOf(name: string): string {
  return `rgb(${colourOf(name).map((part) => Math.round(255 * part)).join(" ")})`;
}
