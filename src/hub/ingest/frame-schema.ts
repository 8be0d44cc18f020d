/** What a push may look like. Loaded by the side that receives it. */
import * as z from "zod/mini";
import { LARGEST_PIECE } from "../protocol.ts";

const LONGEST_NAME = 1024;
const LONGEST_TEXT = 4096;
const MOST_FILES = 4096;
const MOST_PIECES = 4096;
/** What a seal adds to a piece, generously. */
const SEAL = 64 << 10;
const LARGEST_FILE = 2 ** 40;

const text = (most: number) =>
  z.string().check(
    z.maxLength(most),
    // PostgreSQL keeps no such character, and half a surrogate pair is no text.
    z.refine((value) => !value.includes("\0") && value.isWellFormed(), "has characters that are no text"),
  );
const name = text(LONGEST_NAME).check(z.minLength(1));
const count = (most: number) => z.int().check(z.minimum(0), z.maximum(most));
const time = z.number().check(z.minimum(-8.64e15), z.maximum(8.64e15));
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));

const SEGMENT = /^(?!\.{1,2}$)[^/\\]+$/;
const path = name.check(
  z.refine((value) => value.split("/").every((segment) => SEGMENT.test(segment)), "leads elsewhere"),
);

const piece = z.strictObject({
  start: count(LARGEST_FILE),
  bytes: z.int().check(z.minimum(1), z.maximum(LARGEST_PIECE + SEAL)),
  events: count(LARGEST_PIECE),
  sha256: hash,
});

const file = z.strictObject({
  path,
  generation: count(2 ** 31 - 2),
  mode: count(0o7777),
  mtimeMs: time,
  size: count(LARGEST_FILE),
  sha256: hash,
  pieces: z.array(piece).check(z.maxLength(MOST_PIECES)),
  more: z.exactOptional(z.boolean()),
});

export const PUSH_HEADER = z.strictObject({
  machine: z.strictObject({
    id: z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
    name,
  }),
  source: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/)),
  id: name,
  facts: z.strictObject({
    title: z.exactOptional(text(LONGEST_TEXT)),
    workspace: z.exactOptional(text(LONGEST_TEXT)),
    repository: z.exactOptional(text(LONGEST_NAME)),
    repositoryEvidence: z.exactOptional(z.enum(["session", "folder"])),
    branch: z.exactOptional(text(LONGEST_NAME)),
    path: z.exactOptional(path),
    listed: z.exactOptional(
      z.strictObject({
        state: z.enum(["listed", "orphan", "ghost"]),
        title: z.exactOptional(text(LONGEST_TEXT)),
        workspace: z.exactOptional(text(LONGEST_TEXT)),
      }),
    ),
    bornMs: z.exactOptional(time),
    vanishedAt: z.exactOptional(text(64)),
  }),
  isSealed: z.boolean(),
  afterDeletion: z.exactOptional(text(64)),
  files: z.array(file).check(
    z.maxLength(MOST_FILES),
    z.refine((files) => new Set(files.map((each) => each.path)).size === files.length, "names a file twice"),
  ),
  removed: z.array(path).check(z.maxLength(MOST_FILES)),
  bodies: z.array(count(LARGEST_PIECE + SEAL)).check(z.maxLength(MOST_PIECES)),
});
