/** Parses any YAML with every scalar except null as text: a branch called 1.10 is not a number. */
import { isMap, isScalar, parseDocument } from "yaml";

/**
 * Throws where it is no YAML. The parser looks for keys that are there twice by comparing each with all others, which
 * takes minutes for a file of a few hundred kilobytes; so the keys at the margin, which are all that counts, are
 * compared here.
 */
export function parseWhole(text: string): unknown {
  const document = parseDocument(text, {
    schema: "failsafe",
    customTags: ["null"],
    logLevel: "error",
    uniqueKeys: false,
  });
  const [error] = document.errors;
  if (error) throw error;
  const keys = new Set<unknown>();
  for (const { key } of isMap(document.contents) ? document.contents.items : []) {
    const name = isScalar(key) ? key.value : key;
    if (keys.has(name)) throw new SyntaxError("Map keys must be unique");
    keys.add(name);
  }
  return document.toJS();
}
