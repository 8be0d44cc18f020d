/** Gives the schemas that a document repeats a name, and refers to them by it: what is the same is read once. */
import { setMember } from "../model/values/member.ts";

type Json = Record<string, unknown>;

/** What is shorter than this is read where it stands. */
const WORTH_A_NAME = 160;

export function shared(document: Json): Json {
  const counts = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const text = isShape(value) ? JSON.stringify(value) : "";
    const before = counts.get(text) ?? 0;
    if (text !== "") counts.set(text, before + 1);
    // What is in a repeated one is repeated with it.
    if (before === 0) for (const each of Object.values(value)) count(each);
  };
  count(document);

  const names = new Map<string, string>();
  const named: Json = {};
  const nameFor = (hint: string): string => {
    const base = hint === "" ? "Shape" : toPascal(hint);
    let name = base;
    for (let number = 2; Object.hasOwn(named, name); number++) name = `${base}${number}`;
    return name;
  };
  /** `hint` is the nearest name of a field or definition above it. */
  const replaced = (value: unknown, hint: string, isNew = false): unknown => {
    if (Array.isArray(value)) return value.map((each) => replaced(each, hint));
    if (typeof value !== "object" || value === null) return value;
    const text = isShape(value) && !isNew ? JSON.stringify(value) : "";
    if (text.length < WORTH_A_NAME || (counts.get(text) ?? 0) < 2)
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, replaced(each, hintOf(key) ?? hint)]),
      );
    let name = names.get(text);
    if (name === undefined) {
      name = nameFor(hint);
      names.set(text, name);
      setMember(named, name, {});
      setMember(named, name, replaced(value, hint, true));
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const { components = {}, ...rest } = document as { components?: { schemas?: Json } };
  const outside = replaced(rest, "") as Json;
  const inside = replaced(components, "") as { schemas?: Json };
  return { ...outside, components: { ...inside, schemas: { ...inside.schemas, ...named } } };
}

const toPascal = (text: string): string =>
  text.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A field by its own name, an address by its last word. */
function hintOf(key: string): string | undefined {
  if (key.startsWith("/")) return key.split("/").findLast((part) => /^[\w-]+$/.test(part));
  if (key.includes("__schema")) return "Part";
  return NOT_NAMES.has(key) || !/^[a-z]\w*$/i.test(key) ? undefined : key;
}

/** Words of the format; anything else between two schemas is a name. */
const NOT_NAMES: ReadonlySet<string> = new Set([
  ...[
    "properties",
    "items",
    "allOf",
    "anyOf",
    "oneOf",
    "schema",
    "content",
    "additionalProperties",
    "schemas",
  ],
  ...["application/json", "text/event-stream", "responses", "200", "parameters", "requestBody", "components"],
  ...["get", "post", "put", "delete"],
]);

const isShape = (value: object): boolean =>
  "type" in value && value.type === "object" && "properties" in value && typeof value.properties === "object";
