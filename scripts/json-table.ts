/** The fields of JSON answers in words, made from the schemas of the operations: rows for the reference page. */
import * as z from "zod";
import type { JsonShape } from "../src/cli/command.ts";
import type { Schema } from "../src/operations/operation.ts";

/** As much of a JSON schema as answers need. `like` and `adds` are notes of our own for this page. */
interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Node>>;
  /** The command whose table has these fields. */
  readonly like?: string;
  /** A field of the same table that has these fields. */
  readonly likeField?: string;
  /** The fields that come on top of those. */
  readonly adds?: readonly string[];
}

/** Longer lists of values are left out. */
const MOST_LISTED = 12;

export type Row = readonly [names: string, means: string];

/** Fields that several shapes share stand once; a shape without `when` is what is usually printed. */
export function jsonRows(shapes: readonly JsonShape[]): Row[] {
  const byName = new Map<string, { readonly when: string; readonly means: string }[]>();
  for (const { when = "", schema, like } of shapes) {
    const known = new Map(like ? rowsOf(like.schema) : []);
    for (const [name, own] of rowsOf(schema)) {
      const means = like && known.get(name) === own ? `as in \`${like.command}\`` : own;
      byName.set(name, [...(byName.get(name) ?? []), { when, means }]);
    }
  }
  const rows = [...byName].map(([name, all]): Row => {
    const texts = Map.groupBy(all, ({ means }) => means);
    const isEverywhere = texts.size === 1 && all.length === shapes.length;
    return [
      name,
      [...texts]
        .map(([means, some]) => {
          const whens = some.map(({ when }) => when);
          return isEverywhere || whens.includes("") ? means : said(whens.join(", "), means);
        })
        .join("; "),
    ];
  });
  return joinAlike(rows);
}

function rowsOf(schema: Schema): Row[] {
  const root = z.toJSONSchema(schema(z)) as Node;
  return fieldsOf(root, root);
}

const said = (when: string, means: string): string => [when, means].filter(Boolean).join(": ");

/** Neighbours that mean the same are one row. */
function joinAlike(rows: readonly Row[]): Row[] {
  const joined: Row[] = [];
  for (const [name, means] of rows) {
    const last = joined.at(-1);
    if (last?.[1] === means) joined[joined.length - 1] = [`${last[0]}, ${name}`, means];
    else joined.push([name, means]);
  }
  return joined;
}

/** What a node refers to that holds itself further down; there it is not described again. */
function resolve(ref: string, root: Node): Node {
  const { [ref.replace("#/$defs/", "")]: target = {}, ...others } = root.$defs ?? {};
  return { ...target, $defs: others };
}

function fieldsOf(node: Node, around: Node): Row[] {
  const root = node.$defs ? node : around;
  return Object.entries(node.properties ?? {}).map(([name, field]) => {
    const { levels, inner } = unwrap(field, root);
    return [`${name}${"[]".repeat(levels)}`, meaningOf(field, inner, root)];
  });
}

function meaningOf(field: Node, inner: Node, root: Node): string {
  const description = descriptionOf(field, root);
  return said(description, likeness(inner, root) ?? nested(inner, root));
}

/** The outermost one counts: it was written for the place. */
function descriptionOf(field: Node, root: Node): string {
  if (field.description !== undefined) return field.description;
  const next = field.anyOf ? withoutNull(field.anyOf) : field.items;
  return next ? descriptionOf(next, root) : "";
}

function likeness(node: Node, root: Node): string | undefined {
  const { like, likeField, adds = [] } = node;
  if (like === undefined && likeField === undefined) return undefined;
  const added = list(fieldsOf({ properties: pick(node.properties ?? {}, adds) }, root));
  if (likeField !== undefined) return `${added} and the fields of \`${likeField}\``;
  const base = `as in \`${like}\``;
  return added === "" ? base : `${base}, and ${added}`;
}

function nested(node: Node, root: Node): string {
  if (node.enum)
    return node.enum.length > MOST_LISTED ? "" : node.enum.map((value) => `\`${value}\``).join(", ");
  return list(fieldsOf(node, root));
}

const list = (rows: readonly Row[]): string =>
  rows.map(([name, means]) => `\`${name}\`${means === "" ? "" : ` (${means})`}`).join(", ");

const pick = (all: Readonly<Record<string, Node>>, names: readonly string[]): Record<string, Node> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));

/** What a field holds: through lists, what may be null, and references; those to what holds the field end here. */
function unwrap(node: Node, root: Node, levels = 0): { readonly levels: number; readonly inner: Node } {
  if (node.$ref !== undefined) {
    const target = resolve(node.$ref, root);
    return target.items ? { levels: levels + 1, inner: {} } : { levels, inner: target };
  }
  if (node.anyOf) {
    const next = withoutNull(node.anyOf);
    return next ? unwrap(next, root, levels) : { levels, inner: {} };
  }
  if (node.items) return unwrap(node.items, root, levels + 1);
  return { levels, inner: node };
}

/** The one alternative to null; none where there are several. */
function withoutNull(alternatives: readonly Node[]): Node | undefined {
  const others = alternatives.filter(({ type }) => type !== "null");
  return others.length === 1 ? others[0] : undefined;
}
