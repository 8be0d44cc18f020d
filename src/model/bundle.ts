/** The manifest of a bundle: the types that describe exported sessions, or a whole home. */
import type { SourceId } from "./session/session.ts";

export const BUNDLE_FORMAT = "rethread-bundle";
/** Raised when older versions would misread a bundle; members may be added without that. */
export const BUNDLE_VERSION = 1;

/** Its path is relative to the part it belongs to, with forward slashes. */
export type BundledEntry =
  | { readonly kind: "folder"; readonly path: string; readonly mode: number; readonly mtimeMs: number }
  | BundledFile;

export interface BundledFile {
  readonly kind: "file";
  readonly path: string;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly size: number;
  readonly sha256: string;
}

/** One session, or one home: everything below one folder of the bundle. */
export interface BundlePart {
  readonly source: SourceId;
  /** The session's; a home has none. */
  readonly id?: string;
  readonly title?: string;
  /** Of a home: how many sessions it has, and the rows of each table of its databases. */
  readonly sessions?: number;
  readonly rows?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Where in the bundle. */
  readonly folder: string;
  /** Outermost first: the folder of an entry comes before it. */
  readonly entries: readonly BundledEntry[];
}

export interface BundleManifest {
  readonly format: typeof BUNDLE_FORMAT;
  readonly version: number;
  readonly kind: "sessions" | "home";
  /** ISO 8601. */
  readonly madeAt: string;
  /** The program and its version. */
  readonly madeBy: string;
  readonly parts: readonly BundlePart[];
}

export const MANIFEST_NAME = "manifest.json";
/** Enough for a home with a quarter of a million files. */
export const LARGEST_MANIFEST = 64 << 20;

export const nameInBundle = (part: BundlePart, entry: BundledEntry): string => `${part.folder}/${entry.path}`;

export const filesOf = ({ entries }: Pick<BundlePart, "entries">): BundledFile[] =>
  entries.flatMap((entry) => (entry.kind === "file" ? [entry] : []));
