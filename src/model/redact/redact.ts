/**
 * Removes secrets from texts before they leave the machine. The same secret always becomes the same mark, so that a
 * reader can still follow how it was used.
 */
import { detachString } from "../text/detach-string.ts";
import { createHomeHider } from "../values/home-path.ts";
import { MAX_DEPTH, TOO_DEEP } from "../values/json.ts";
import { findDisguised } from "./disguised.ts";
import { findSecrets } from "./find.ts";
import { createKnownSecrets } from "./known.ts";
import { findNamedValue } from "./names.ts";
import { mergeSpans, type Span } from "./span.ts";

export interface Redaction {
  readonly kind: string;
  /** How many different ones; in how many places depends on who looks. */
  readonly secrets: number;
}

export interface Redactor {
  /**
   * Learns secrets without changing anything. A secret that was found by its name (`PASSWORD=…`) is then found
   * everywhere; so learn all of a session first, then redact it.
   */
  learn(value: unknown): void;
  text(text: string): string;
  /** Every text in it, however deep; the name of a field counts as the name of a secret. */
  value<T>(value: T): T;
  /** Secrets that some name has given away, and that are found wherever else they stand. */
  known(): readonly string[];
  /** What was taken out so far. */
  report(): Redaction[];
}

type FindMore = (text: string) => readonly Span[];

/** Counted with the secrets, though what it leaves is a plain ~. */
const HOME = "home folder";

/** `homes` are the folders of people, which are written as ~. */
export function createRedactor(homes: Iterable<string> = []): Redactor {
  const numbers = new Map<string, Map<string, number>>();
  const known = createKnownSecrets();
  const hideHomes = createHomeHider(homes);

  const numberOf = (secret: string, kind: string): number => {
    const ofKind = numbers.get(kind) ?? new Map<string, number>();
    numbers.set(kind, ofKind);
    const before = ofKind.get(secret);
    if (before !== undefined) return before;
    ofKind.set(detachString(secret), ofKind.size + 1);
    return ofKind.size;
  };
  const markOf = (secret: string, kind: string): string => `[redacted: ${kind} #${numberOf(secret, kind)}]`;
  const countHome = (home: string): void => void numberOf(home, HOME);

  const find = (text: string, more: FindMore | undefined): Span[] => {
    const spans = [...findSecrets(text), ...(more?.(text) ?? [])];
    for (const { start, end, kind, isNamed, secret } of spans)
      if (isNamed) known.remember(secret ?? text.slice(start, end), kind);
    return spans;
  };

  const learn = (text: string, more?: FindMore): string => {
    find(text, more);
    return text;
  };

  const redact = (text: string, more?: FindMore): string => {
    let out = "";
    let at = 0;
    const spans = [...find(text, more), ...known.find(text), ...findDisguised(text, known.find)];
    for (const { start, end, kind, secret } of mergeSpans(spans)) {
      out += text.slice(at, start) + markOf(known.wordingOf(secret ?? text.slice(start, end)), kind);
      at = end;
    }
    return hideHomes(at === 0 ? text : out + text.slice(at), countHome);
  };

  return {
    learn: (value) => void mapTexts(value, learn),
    text: (text) => redact(text),
    value: <T>(value: T): T => mapTexts(value, redact) as T,
    known: () => known.wordings(),
    report: () =>
      [...numbers]
        .map(([kind, ofKind]) => ({ kind, secrets: ofKind.size }))
        .sort((a, b) => (a.kind < b.kind ? -1 : 1)),
  };
}

type MapText = (text: string, more?: FindMore) => string;

/**
 * A copy with every text replaced. What names a text is told with it: a field, a flag before it, a `name` beside it. What
 * is nested too deeply is left out, since a secret may stand in it.
 */
function mapTexts(value: unknown, map: MapText, name?: string, levels: number = 2 * MAX_DEPTH): unknown {
  if (typeof value === "string")
    return map(value, name === undefined ? undefined : (text) => findNamedValue(name, text));
  if (levels === 0 && typeof value === "object" && value !== null) return TOO_DEEP;
  if (Array.isArray(value))
    return value.map((item, i) => mapTexts(item, map, flagIn(value[i - 1]), levels - 1));
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const own = typeof fields.name === "string" ? fields.name : undefined;
  return Object.fromEntries(
    Object.entries(fields).map(([key, item]) => [
      map(key),
      mapTexts(item, map, key === "value" ? (own ?? key) : key, levels - 1),
    ]),
  );
}

/** `["--password", "…"]` */
const flagIn = (before: unknown): string | undefined =>
  typeof before === "string" && before.startsWith("-") ? before : undefined;
