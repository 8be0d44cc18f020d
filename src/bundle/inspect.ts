/** Compares the entries of a bundle with its manifest, in order, while they stream by. */
import { createHash, type Hash } from "node:crypto";
import {
  type BundledEntry,
  type BundleManifest,
  LARGEST_MANIFEST,
  MANIFEST_NAME,
  nameInBundle,
} from "../model/bundle.ts";
import { damaged, unsafe } from "./errors.ts";
import type { parseManifest } from "./manifest.ts";
import { BLOCK, paddingOf, type TarEntry } from "./tar.ts";
import type { TarVisitor } from "./tar-reader.ts";

/** Headers in front of an entry, with a pax header for a long name. */
const MOST_HEADERS = 4 * BLOCK + (64 << 10);

/** Programs fill the last block of a tar up with nothing. */
const MOST_TRAILING = 1 << 20;

export interface Inspector extends TarVisitor {
  /** Longer than this no honest bundle is; known better once the manifest is. */
  limit(): number;
  /** The first entry is one; whether it can be understood is another matter. */
  hasManifest(): boolean;
  /** What it is, and where the content of each entry begins. Throws when something is missing. */
  finish(): Inspected;
}

export interface Inspected {
  readonly manifest: BundleManifest;
  /** By their names in the bundle. */
  readonly starts: ReadonlyMap<string, number>;
}

interface Expected {
  readonly name: string;
  readonly entry: BundledEntry;
}

export function createInspector(parse: typeof parseManifest): Inspector {
  let collecting: Buffer[] | undefined;
  let manifest: BundleManifest | undefined;
  let expected: readonly Expected[] = [];
  let limit = MOST_HEADERS + LARGEST_MANIFEST;
  let next = 0;
  let sum: Hash | undefined;
  const starts = new Map<string, number>();

  const begin = (entry: TarEntry): void => {
    if (entry.name !== MANIFEST_NAME || entry.kind !== "file")
      throw damaged("it does not start with a manifest");
    if (entry.size > LARGEST_MANIFEST) throw unsafe("its manifest is too large");
    collecting = [];
  };
  const endManifest = (parts: readonly Buffer[]): void => {
    const bytes = Buffer.concat(parts);
    manifest = parse(bytes.toString("utf8"));
    expected = manifest.parts.flatMap((part) =>
      part.entries.map((entry) => ({ name: nameInBundle(part, entry), entry })),
    );
    limit = expected.reduce(
      (all, { entry }) => all + MOST_HEADERS + sizeWithPadding(entry),
      MOST_HEADERS + bytes.length + MOST_TRAILING,
    );
    collecting = undefined;
  };

  return {
    limit: () => limit,
    hasManifest: () => collecting !== undefined || manifest !== undefined,
    entry(entry, start) {
      if (!manifest) {
        begin(entry);
        return;
      }
      const wanted = expected[next++];
      if (wanted?.name !== entry.name)
        throw damaged(`it has ${JSON.stringify(entry.name)} in an unexpected place`);
      if (entry.kind === "other") throw unsafe(`${entry.name} is neither a file nor a folder`);
      if (entry.kind !== wanted.entry.kind || entry.size !== sizeOf(wanted.entry))
        throw damaged(`${entry.name} does not match the manifest`);
      starts.set(entry.name, start);
      sum = createHash("sha256");
    },
    content(bytes) {
      if (collecting) collecting.push(Buffer.from(bytes));
      else sum?.update(bytes);
    },
    entryEnd() {
      if (collecting) {
        endManifest(collecting);
        return;
      }
      const wanted = expected[next - 1];
      if (wanted?.entry.kind === "file" && sum?.digest("hex") !== wanted.entry.sha256)
        throw damaged(`${wanted.name} does not have the expected bytes`);
    },
    finish() {
      if (!manifest) throw damaged("it has no manifest");
      const missing = expected[next];
      if (missing) throw damaged(`${missing.name} is missing`);
      return { manifest, starts };
    },
  };
}

const sizeOf = (entry: BundledEntry): number => (entry.kind === "file" ? entry.size : 0);
const sizeWithPadding = (entry: BundledEntry): number => sizeOf(entry) + paddingOf(sizeOf(entry));
