/** Small helpers for elements, icons and numbers; all panels are made with these. */

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

/** An element: attributes by name, listeners as `onclick`, then children. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

/** Paths of icons in a square of 24; strokes unless they say `fill`. */
const ICONS = {
  play: `<path d="M8 5l11 7-11 7z" fill="currentColor"/>`,
  pause: `<path d="M8 5v14M16 5v14" stroke-width="3"/>`,
  step: `<path d="M5 5l9 7-9 7z" fill="currentColor"/><path d="M18 5v14" stroke-width="3"/>`,
  reset: `<path d="M4 5v5h5M5 15a8 8 0 1 0 1-8l-2 3"/>`,
  snapshot: `<path d="M4 8h3l2-3h6l2 3h3v11H4z"/><circle cx="12" cy="13" r="3.5"/>`,
  save: `<path d="M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6"/>`,
  record: `<circle cx="12" cy="12" r="6" fill="currentColor"/>`,
  stop: `<rect x="6" y="6" width="12" height="12" rx="1.5" fill="currentColor"/>`,
  help: `<path d="M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5"/><circle cx="12" cy="12" r="9.5"/>`,
  left: `<rect x="3" y="4" width="18" height="16" rx="2"/><path d="M9 4v16"/>`,
  right: `<rect x="3" y="4" width="18" height="16" rx="2"/><path d="M15 4v16"/>`,
  close: `<path d="M6 6l12 12M18 6L6 18"/>`,
  plus: `<path d="M12 5v14M5 12h14"/>`,
  picture: `<rect x="3" y="5" width="18" height="14" rx="2"/><path d="M3 16l5-5 5 5 3-3 5 4"/>`,
  larger: `<path d="M9 4H4v5M15 20h5v-5M4 4l6 6M20 20l-6-6"/>`,
  trash: `<path d="M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13"/>`,
  open: `<path d="M3 6h6l2 2h10v11H3z"/>`,
  pad: `<rect x="2" y="7" width="20" height="11" rx="5"/><path d="M7 10.5v4M5 12.5h4M15.5 11.5v.1M18 14v.1"/>`,
  lamp: `<path d="M9 18h6M10 21h4M8 14a6 6 0 1 1 8 0c-.8.8-1 1.500-1 2H9c0-.5-.2-1.200-1-2z"/>`,
} as const;

export type IconName = keyof typeof ICONS;

/** An icon of the size of the text. */
export function icon(name: IconName): HTMLElement {
  const span = el("span", { class: "icon", "aria-hidden": "true" });
  span.innerHTML = `<svg viewBox="0 0 24 24">${ICONS[name]}</svg>`;
  return span;
}

/** A button with an icon, a word, or both; the title is also its name for screen readers. */
export function button(
  label: IconName | "",
  title: string,
  click: (event: MouseEvent) => void,
  text = "",
): HTMLButtonElement {
  const made = el("button", { type: "button", title, "aria-label": title, onclick: click }, text);
  if (label) made.prepend(icon(label));
  return made;
}

/** Exchange the icon of a button made by `button`. */
export function setIcon(target: HTMLElement, name: IconName): void {
  if (target.dataset.icon === name) return;
  target.dataset.icon = name;
  target.querySelector(".icon")?.replaceWith(icon(name));
}

/** A choice among options, [value, words]. */
export function select(
  title: string,
  options: [string, string][],
  value: string,
  change: (value: string) => void,
): HTMLSelectElement {
  const made = el(
    "select",
    { title, "aria-label": title, onchange: () => (change(made.value), made.blur()) },
    ...options.map(([v, words]) => el("option", { value: v, selected: v === value }, words)),
  );
  return made;
}

/** A check box with its words. */
export function check(words: string, on: boolean, change: (on: boolean) => void, title = ""): HTMLLabelElement {
  const box = el("input", { type: "checkbox", checked: on, onchange: () => change(box.checked) });
  return el("label", { class: "check", title }, box, el("span", {}, words));
}

/** Set text only if it changed: layout is dear. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A number for people: five digits that matter. */
export function show(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return value.toExponential(3);
  return value.toPrecision(5);
}

/** Bytes a second and the like: 1.2 MB. */
export function showBytes(count: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let step = 0;
  while (count >= 1000 && step < units.length - 1) {
    count /= 1000;
    step += 1;
  }
  return `${step === 0 ? Math.round(count) : count.toFixed(1)} ${units[step]}`;
}

/** Seconds as 1:02:03.45. */
export function showTime(seconds: number): string {
  const sign = seconds < 0 ? "−" : "";
  const all = Math.abs(seconds);
  const hours = Math.floor(all / 3600);
  const minutes = Math.floor(all / 60) % 60;
  const rest = (all % 60).toFixed(2).padStart(5, "0");
  return `${sign}${hours ? `${hours}:` : ""}${String(minutes).padStart(hours ? 2 : 1, "0")}:${rest}`;
}

/** True while someone writes into a field: keys then belong to it. */
export function typing(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return Boolean(target?.closest("input:not([type=checkbox]):not([type=range]), textarea, select, dialog, [contenteditable]"));
}
