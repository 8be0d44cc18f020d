/** Checks a manifest from outside before anything else of the bundle is read: it is accepted as a whole, or refused. */

import type * as z from "zod/mini";
import {
  BUNDLE_FORMAT,
  BUNDLE_VERSION,
  type BundleManifest,
  type BundlePart,
  nameInBundle,
} from "../model/bundle.ts";
import { printed } from "../model/text/printed.ts";
import { memberOf } from "../model/values/member.ts";
import { damaged, newer, unsafe } from "./errors.ts";
import * as schema from "./manifest-schema.ts";

export function parseManifest(text: string): BundleManifest {
  const value = parseJson(text);
  const { success, data } = schema.VERSION.safeParse(value);
  if (!success) throw damaged("its manifest does not say what it is");
  const { version } = data;
  if (version > BUNDLE_VERSION) throw newer(version);
  if (version !== BUNDLE_VERSION) throw damaged(`its manifest has version ${version}, which does not exist`);
  const { kind, parts, ...about } = check(schema.MANIFEST, value, "");
  const manifest: BundleManifest = {
    format: BUNDLE_FORMAT,
    version,
    kind,
    ...about,
    parts: parts.map((part, at) => toPart(part, kind, `parts[${at}]`)),
  };
  if (kind === "home" && parts.length !== 1) throw damaged("its manifest does not name one home");
  refuseTwice(manifest.parts.map(({ folder }) => folder));
  refuseTwice(manifest.parts.map(({ source, id }) => `${source}:${id}`));
  // The folder of one part may lie in that of another.
  refuseTwice(manifest.parts.flatMap((part) => part.entries.map((entry) => nameInBundle(part, entry))));
  return manifest;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged("its manifest is not JSON", error);
  }
}

function toPart(value: unknown, kind: BundleManifest["kind"], where: string): BundlePart {
  const { title, ...part } =
    kind === "home"
      ? toHome(check(schema.HOME_PART, value, where), where)
      : check(schema.SESSION_PART, value, where);
  const entries = part.entries.map((entry, at) => check(schema.ENTRY, entry, `${where}.entries[${at}]`));
  refuseTwice(entries.map(({ path }) => path));
  const folders = new Set<string>();
  for (const entry of entries) {
    const above = entry.path.slice(0, Math.max(0, entry.path.lastIndexOf("/")));
    if (above !== "" && !folders.has(above))
      throw damaged(`${entry.path} is not inside a folder listed before it`);
    if (entry.kind === "folder") folders.add(entry.path);
  }
  return { ...part, ...(title !== undefined && { title }), entries };
}

type Home = ReturnType<typeof schema.HOME_PART.parse>;

/** The rows by database and table. */
function toHome(home: Home, where: string): Omit<Home, "rows"> & Pick<BundlePart, "rows"> {
  const rows = Object.entries(home.rows).map((database) => {
    const [name, tables] = check(schema.DATABASE, database, `${where}.rows`);
    const counts = Object.entries(tables).map((table) => check(schema.TABLE, table, `${where}.rows.${name}`));
    return [name, Object.fromEntries(counts)] as const;
  });
  return { ...home, rows: Object.fromEntries(rows) };
}

const LONGEST_SHOWN = 100;

/** What is unsafe is named by what it is, a mistake by where it is. */
function check<T>(shape: z.ZodMiniType<T>, value: unknown, where: string): T {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  const issue = issues.find(isUnsafe) ?? issues[0];
  if (!issue) throw damaged("its manifest does not have the shape of a manifest");
  const found = issue.path.reduce((inside: unknown, key) => memberOf(asRecord(inside), String(key)), value);
  if (isUnsafe(issue)) {
    const shown = printed(issue.code === "invalid_union" ? asRecord(value).path : found);
    throw unsafe(`${JSON.stringify(shown.slice(0, LONGEST_SHOWN))} ${issue.message}`);
  }
  const place = [where, ...issue.path].filter((part) => part !== "").join(".");
  throw damaged(
    place === ""
      ? "its manifest does not have the shape of a manifest"
      : `in its manifest, ${place} ${found === undefined ? "is missing" : issue.message}`,
  );
}

type Issue = z.core.$ZodIssue;
const isUnsafe = (issue: Issue): boolean =>
  // An entry that is no file and no folder is a link, or worse.
  issue.code === "invalid_union" || (issue.code === "custom" && issue.params?.isUnsafe === true);

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

function refuseTwice(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw unsafe(`${name} is in it twice`);
    seen.add(name);
  }
}
