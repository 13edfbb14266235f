/** The property tree as the server tells it; see src/volery/core/properties.py. */

export interface Leaf {
  name: string;
  path: string;
  kind: "number" | "whole" | "switch" | "text" | "choice" | "several" | "vector" | "list" | "data";
  value: unknown;
  default?: unknown;
  doc: string;
  editable: boolean;
  why?: string;
  unit?: string;
  low?: number;
  high?: number;
  above?: number;
  choices?: (string | number)[];
  size?: number;
  of?: string;
  optional?: boolean;
}

export interface Group {
  name: string;
  path: string;
  doc: string;
  editable: boolean;
  why?: string;
  items: PropertyNode[];
  /** A list of groups, with its plain value. */
  list?: boolean;
  value?: unknown[];
  optional?: boolean;
}

export type PropertyNode = Leaf | Group;

export function isGroup(node: PropertyNode): node is Group {
  return "items" in node;
}

/** All leaves below some nodes. */
export function* leavesOf(nodes: PropertyNode[]): Generator<Leaf> {
  for (const node of nodes) {
    if (isGroup(node)) yield* leavesOf(node.items);
    else yield node;
  }
}

/** The nodes that hold a leaf whose path or words match, cut down to those leaves. */
export function matching(nodes: PropertyNode[], words: string): PropertyNode[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (!wanted.length) return nodes;
  const fits = (leaf: Leaf) => {
    const text = `${leaf.path} ${leaf.doc}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  return nodes.flatMap((node): PropertyNode[] => {
    if (!isGroup(node)) return fits(node) ? [node] : [];
    const items = matching(node.items, words);
    return items.length ? [{ ...node, items }] : [];
  });
}

/** A string that is the same for trees with the same folders and fields. */
export function outline(nodes: PropertyNode[]): string {
  return nodes
    .map((node) => (isGroup(node) ? `${node.path}(${outline(node.items)})` : `${node.path}:${node.value === null}:${node.editable}`))
    .join(",");
}
