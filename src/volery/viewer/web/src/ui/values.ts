/** Fields of a message as lines of path and value, and a number at such a path. */

import type { Message } from "../cdr";
import { show } from "./dom";

/** A line of a message. */
export interface Line {
  /** As `pose.position.x` or `ranges[3]`. */
  path: string;
  depth: number;
  label: string;
  text: string;
  /** Whether it is a number that can be plotted. */
  numeric: boolean;
}

/** Of lists no more than so many entries are shown one by one. */
const EACH = 16;
const PREVIEW = 6;

type Numbers = ArrayLike<number | bigint>;

/** All lines of a message; long lists in one line. */
export function linesOf(message: Message): Line[] {
  const lines: Line[] = [];
  walk(message, "", 0, lines);
  return lines;
}

function walk(message: Message, base: string, depth: number, lines: Line[]): void {
  for (const [name, value] of Object.entries(message)) add(base ? `${base}.${name}` : name, name, depth, value, lines);
}

function add(path: string, label: string, depth: number, value: unknown, lines: Line[]): void {
  const line = { path, depth, label, text: "", numeric: false };
  if (typeof value === "number") lines.push({ ...line, text: show(value), numeric: true });
  else if (typeof value === "boolean") lines.push({ ...line, text: String(value), numeric: true });
  else if (typeof value === "string") lines.push({ ...line, text: value.length > 400 ? `${value.slice(0, 400)} …` : value });
  else if (ArrayBuffer.isView(value)) addNumbers(line, value as unknown as Numbers, lines);
  else if (Array.isArray(value)) addList(line, value, lines);
  else {
    lines.push(line);
    walk(value as Message, path, depth + 1, lines);
  }
}

function addNumbers(line: Line, values: Numbers, lines: Line[]): void {
  const few = Array.from({ length: Math.min(values.length, PREVIEW) }, (_, i) => show(Number(values[i])));
  const more = values.length > PREVIEW ? " …" : "";
  lines.push({ ...line, text: `${values.length}: ${few.join("  ")}${more}` });
  if (values.length > EACH || values.length === 0) return;
  for (let i = 0; i < values.length; i++) {
    const text = show(Number(values[i]));
    lines.push({ path: `${line.path}[${i}]`, depth: line.depth + 1, label: `[${i}]`, text, numeric: true });
  }
}

function addList(line: Line, values: unknown[], lines: Line[]): void {
  lines.push({ ...line, text: `${values.length}` });
  values.slice(0, EACH).forEach((value, i) => add(`${line.path}[${i}]`, `[${i}]`, line.depth + 1, value, lines));
  if (values.length > EACH) lines.push({ ...line, depth: line.depth + 1, label: "…", text: `${values.length - EACH} more` });
}

/** What stands at a path; undefined if there is nothing. */
export function valueAt(message: Message, path: string): unknown {
  let value: unknown = message;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (value === null || typeof value !== "object") return undefined;
    value = (value as Record<string, unknown>)[name ?? index ?? ""];
  }
  return value;
}

/** The number at a path; NaN if there is none. */
export function numberAt(message: Message, path: string): number {
  const value = valueAt(message, path);
  return typeof value === "number" || typeof value === "boolean" || typeof value === "bigint" ? Number(value) : NaN;
}
