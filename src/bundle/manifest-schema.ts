/**
 * The shape of a manifest. The message of an issue follows the name of the field ("is not a text"); `isUnsafe` marks what
 * is more than a mistake. Lists are lists of anything here, and their items are checked one by one: a manifest can
 * have millions of them, and zod would collect an issue for each.
 */
import * as z from "zod/mini";
import { BUNDLE_FORMAT } from "../model/bundle.ts";
import { isPortable } from "./portable-name.ts";

/** The last moment that a date can be. */
const LAST_MS = 8.64e15;

const text = z.string("is not a text");
const count = z.int("is not a whole number").check(z.minimum(0, "is less than 0"));
const list = z.custom<readonly unknown[]>(Array.isArray, "is not a list");
const time = z
  .number("is not a time in milliseconds")
  .check(z.refine((ms) => Math.abs(ms) <= LAST_MS, "is a time that no date can be"));

const safe = (isSafe: (value: string) => boolean, error: string) =>
  text.check(z.refine(isSafe, { error, params: { isUnsafe: true } }));

const name = safe(isPortable, "is a path that leads outside");
const source = safe((value) => /^[A-Za-z0-9][\w.-]{0,127}$/.test(value), "is not a source");
/** Becomes the name of a folder. People rename session files, so it may be any name; a leading dot is for programs. */
const id = safe((value) => isPortable(value) && !/^[.\s]|\/|\s$/.test(value), "is not an id");

/** Read first: what else is there depends on the version. */
export const VERSION = z.object({ format: z.literal(BUNDLE_FORMAT), version: z.number() });

export const MANIFEST = z.object({
  kind: z.enum(["sessions", "home"], 'is neither "sessions" nor "home"'),
  madeAt: text,
  madeBy: text,
  parts: list,
});

const part = {
  folder: name,
  source,
  // For people alone, so a bundle is not refused for it.
  title: z.catch(z.optional(z.string()), undefined),
  entries: list,
};
const NO_OBJECT = "is not an object";
const object = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  NO_OBJECT,
);
export const SESSION_PART = z.object({ ...part, id }, NO_OBJECT);
export const HOME_PART = z.object({ ...part, sessions: count, rows: object }, NO_OBJECT);

/** Of `rows`: the names become paths, so they are as safe as those. */
export const DATABASE = z.tuple([name, object]);
export const TABLE = z.tuple([z.string(), count]);

const look = {
  path: name,
  mode: z.pipe(
    count,
    z.transform((mode) => mode & 0o777),
  ),
  mtimeMs: time,
};
export const ENTRY = z.discriminatedUnion(
  "kind",
  [
    z.object({ kind: z.literal("folder"), ...look }),
    z.object({
      kind: z.literal("file"),
      ...look,
      size: count,
      sha256: z.string("is not a hash").check(z.regex(/^[0-9a-f]{64}$/, "is not a hash")),
    }),
  ],
  "is neither a file nor a folder",
);
