/** One property as a row of Tweakpane: which control a kind of value gets, and how values go to and fro. */

import type { FolderApi } from "tweakpane";
import type { Leaf } from "./nodes";

/** Ranges up to this get a slider; larger ones a field to write or drag in. */
const SLIDER = 2500;
const AXES = ["x", "y", "z", "w"];

export type Change = (value: unknown, last: boolean) => void;

/** A field on the page. */
export interface FieldView {
  leaf: Leaf;
  /** Show a value that came from the server; is not told as a change. */
  put(value: unknown): void;
  element: HTMLElement;
}

interface Shape {
  /** What Tweakpane binds to. */
  shown: unknown;
  options: Record<string, unknown>;
  toPage(value: unknown): unknown;
  toServer(shown: unknown): unknown;
}

/** Add a row for a leaf; `change` is called when the user changes it. */
export function addField(folder: FolderApi, leaf: Leaf, change: Change, complain: (text: string) => void): FieldView {
  const shape = shapeOf(leaf);
  const box = { value: shape.shown };
  let silent = false;
  const binding = folder.addBinding(box, "value", {
    label: leaf.unit ? `${leaf.name} [${leaf.unit}]` : leaf.name,
    disabled: !leaf.editable,
    ...shape.options,
  });
  const { element } = binding;
  element.title = [leaf.doc, limits(leaf), leaf.why && `Cannot change now: ${leaf.why}.`].filter(Boolean).join("\n");
  element.dataset.path = leaf.path;
  binding.on("change", (event) => {
    if (silent) return;
    try {
      change(shape.toServer(event.value), event.last);
    } catch {
      complain(`${leaf.path}: this cannot be read; write it as JSON, such as ${JSON.stringify(leaf.value)}`);
    }
  });
  return {
    leaf,
    element,
    put(value) {
      silent = true;
      box.value = shape.toPage(value);
      binding.refresh();
      silent = false;
    },
  };
}

function limits(leaf: Leaf): string {
  const low = leaf.above !== undefined ? `more than ${leaf.above}` : leaf.low !== undefined ? `from ${leaf.low}` : "";
  const high = leaf.high !== undefined ? `up to ${leaf.high}` : "";
  return [low, high].filter(Boolean).join(", ");
}

function shapeOf(leaf: Leaf): Shape {
  if (leaf.optional || leaf.kind === "data" || leaf.kind === "list" || leaf.kind === "several") return asText(leaf);
  if (leaf.kind === "choice") return asChoice(leaf);
  if (leaf.kind === "vector") return AXES.length >= (leaf.size ?? 9) && leaf.of !== "text" ? asPoint(leaf) : asText(leaf);
  const same = (value: unknown) => value;
  const options = leaf.kind === "number" || leaf.kind === "whole" ? numberOptions(leaf) : {};
  return { shown: leaf.value, options, toPage: same, toServer: same };
}

function numberOptions(leaf: Leaf): Record<string, unknown> {
  const low = leaf.low ?? leaf.above;
  const { high } = leaf;
  const whole = leaf.kind === "whole" ? { step: 1 } : {};
  const size = Math.abs(leaf.value as number) || 1;
  const slides = low !== undefined && high !== undefined && high - low <= SLIDER;
  if (slides) return { ...whole, min: low, max: high, format: digits(high - low) };
  const bounds = { ...(low !== undefined ? { min: low } : {}), ...(high !== undefined && low === undefined ? { max: high } : {}) };
  return { ...whole, ...bounds, format: digits(size), pointerScale: leaf.kind === "whole" ? 0.2 : size / 100 };
}

/** Numbers with as many decimals as a range calls for. */
function digits(range: number): (value: number) => string {
  const decimals = Math.max(0, Math.min(6, 4 - Math.ceil(Math.log10(range))));
  return (value) => {
    const small = value !== 0 && Math.abs(value) < 10 ** -decimals;
    return small ? value.toPrecision(2) : String(Number(value.toFixed(decimals)));
  };
}

function asChoice(leaf: Leaf): Shape {
  const options = Object.fromEntries((leaf.choices ?? []).map((choice) => [String(choice), choice]));
  const same = (value: unknown) => value;
  return { shown: leaf.value, options: { options }, toPage: same, toServer: same };
}

function asPoint(leaf: Leaf): Shape {
  const axes = AXES.slice(0, leaf.size);
  const toPage = (value: unknown) => Object.fromEntries(axes.map((axis, i) => [axis, (value as number[])[i]]));
  const low = leaf.low ?? leaf.above;
  const axis = {
    ...(low !== undefined ? { min: low } : {}),
    ...(leaf.high !== undefined ? { max: leaf.high } : {}),
    ...(leaf.of === "whole" ? { step: 1 } : {}),
  };
  return {
    shown: toPage(leaf.value),
    options: Object.fromEntries(axes.map((name) => [name, axis])),
    toPage,
    toServer: (shown) => axes.map((name) => (shown as Record<string, number>)[name]),
  };
}

/** Anything else is written: bare words, numbers, or JSON; empty is nothing. */
function asText(leaf: Leaf): Shape {
  const bare = leaf.kind === "text" || leaf.kind === "choice";
  const words = leaf.kind === "several" || (leaf.kind === "list" && leaf.of === "text");
  const toPage = (value: unknown): string => {
    if (value === null || value === undefined) return "";
    if (words) return (value as string[]).join(", ");
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  const toServer = (shown: unknown): unknown => {
    const text = String(shown).trim();
    if (words) return text ? text.split(/\s*,\s*/) : [];
    if (text === "") return leaf.optional ? null : "";
    if (bare || leaf.value === text) return text;
    return /^[[{"\d.+-]|^(true|false|null)$/.test(text) ? JSON.parse(text) : text;
  };
  return { shown: toPage(leaf.value), options: {}, toPage, toServer };
}
