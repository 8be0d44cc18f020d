/** VS Code's URIs, as text or as the objects its sessions hold, and the paths people know them by. */
import { baseName } from "../../../model/values/paths.ts";
import { asString, isObject, type JsonObject } from "../../log/jsonl.ts";

/** `file:` URIs become paths; all others stay URIs. */
export function toPath(uri: unknown): string | undefined {
  if (typeof uri === "string") return fromText(uri);
  if (!isObject(uri)) return undefined;
  const path = asString(uri.path);
  if (path === undefined) return undefined;
  const scheme = asString(uri.scheme) ?? "file";
  if (scheme === "file") return fromFilePath(path, asString(uri.authority));
  return `${scheme}://${asString(uri.authority) ?? ""}${path}`;
}

function fromText(uri: string): string {
  if (!uri.startsWith("file://")) return uri;
  const [authority = "", ...rest] = uri.slice("file://".length).split("/");
  return fromFilePath(decode(`/${rest.join("/")}`), decode(authority));
}

/** `/c:/x` is `c:\x` on Windows; an authority makes a network path. */
function fromFilePath(path: string, authority: string | undefined): string {
  if (/^\/[a-z]:/i.test(path)) return path.slice(1).replaceAll("/", "\\");
  return authority ? `//${authority}${path}` : path;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray percent sign: shown as it stands
  }
}

/** The file that a reference points to: a URI, a place in a file, or a symbol at such a place. */
export function pathOf(reference: unknown): string | undefined {
  if (typeof reference === "string") return toPath(reference);
  if (!isObject(reference)) return undefined;
  if (typeof reference.path === "string") return toPath(reference);
  return toPath(reference.uri) ?? (isObject(reference.location) ? toPath(reference.location.uri) : undefined);
}

/** What a link inside an answer reads like. */
export function referenceText(part: JsonObject): string {
  const reference = part.inlineReference;
  const symbol = isObject(reference) && "location" in reference ? asString(reference.name) : undefined;
  if (symbol !== undefined) return `\`${symbol}\``;
  const path = pathOf(reference);
  return asString(part.name) ?? (path === undefined ? "" : baseName(path));
}
