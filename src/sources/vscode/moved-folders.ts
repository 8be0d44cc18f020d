/** Finds where a missing folder may be now, by its git remote, the files of its chats, and its name. */
import { basename, dirname, join } from "node:path";
import { wayFrom } from "../../model/values/paths.ts";
import { toRepositoryName } from "../../model/values/repository.ts";
import { readGit } from "../../platform/disk/git-folder.ts";
import { realPath } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { asObject, asString, isObject } from "../log/jsonl.ts";
import { toTurn } from "./format/parsed-session.ts";
import { inSession, type OpenSession } from "./format/session-file.ts";
import { toPath } from "./format/uri.ts";
import type { StoreScan } from "./scan.ts";

export interface NewPlace {
  readonly path: string;
  /** What speaks for it. */
  readonly why: string;
}

/** So many chats are asked what they are about, so many files looked for, and so many folders considered. */
const MOST = { chats: 3, turns: 40, files: 12, siblings: 200 };
/** The share of the files that must be there. */
const ENOUGH = 0.6;

interface Memory {
  readonly repository?: string;
  /** Files below the folder, by their paths in it. */
  readonly files: readonly string[];
}

/** Undefined where nothing speaks for one place more than for all others. */
export async function findNewPlace(
  fs: SessionFs,
  gone: StoreScan,
  others: readonly StoreScan[],
): Promise<NewPlace | undefined> {
  const folder = gone.workspace?.name;
  if (folder === undefined) return undefined;
  const memory = await recall(fs, gone, folder);
  const judged: (NewPlace & { readonly weight: number })[] = [];
  for (const path of await findCandidates(fs, folder, others)) {
    const reasons = await reasonsFor(fs, path, folder, memory);
    const weight = reasons.reduce((sum, reason) => sum + reason.weight, 0);
    if (weight > 0) judged.push({ path, why: reasons.map(({ why }) => why).join(", "), weight });
  }
  const [best, second] = judged.sort((a, b) => b.weight - a.weight);
  return best && best.weight > (second?.weight ?? 0) ? best : undefined;
}

/** The folders with the git remote that chats of a missing one recorded, each once; undefined where no chat recorded one. */
export async function findByRemote(
  fs: SessionFs,
  gone: StoreScan,
  others: readonly StoreScan[],
): Promise<string[] | undefined> {
  const folder = gone.workspace?.name ?? "";
  const { repository } = await recall(fs, gone, folder);
  if (repository === undefined) return undefined;
  const found = new Map<string, string>();
  for (const path of await findCandidates(fs, folder, others))
    if (await hasRemote(fs, path, repository)) found.set(await realPath(fs, path), path);
  return [...found.values()];
}

/** As its own, not as that of a repository around it. */
async function hasRemote(fs: SessionFs, path: string, repository: string): Promise<boolean> {
  const git = await readGit(fs, path);
  return git?.root === path && toRepositoryName(git.origin ?? "") === repository;
}

/** Folders that VS Code knows, and those beside the old place: most are renamed where they are. */
async function findCandidates(
  fs: SessionFs,
  folder: string,
  others: readonly StoreScan[],
): Promise<string[]> {
  const known = others.flatMap(({ workspace }) => (workspace?.isLocal ? [workspace.name] : []));
  const parent = dirname(folder);
  const beside = (await fs.exists(parent)) ? await fs.readdir(parent) : [];
  const siblings = beside
    .filter(({ kind, name }) => kind === "folder" && !name.startsWith("."))
    .slice(0, MOST.siblings)
    .map(({ name }) => join(parent, name));
  const found: string[] = [];
  for (const path of new Set([...known, ...siblings]))
    if (path !== folder && (await fs.exists(path)) && (await fs.stat(path)).kind === "folder")
      found.push(path);
  return found;
}

async function reasonsFor(
  fs: SessionFs,
  path: string,
  folder: string,
  { repository, files }: Memory,
): Promise<{ weight: number; why: string }[]> {
  let present = 0;
  for (const file of files) if (await fs.exists(join(path, file))) present++;
  const isSameRemote = repository !== undefined && (await hasRemote(fs, path, repository));
  return [
    ...(isSameRemote ? [{ weight: 4, why: "the same git remote" }] : []),
    ...(files.length > 1 && present / files.length >= ENOUGH
      ? [{ weight: 3, why: `${present} of ${files.length} files from its chats` }]
      : []),
    ...(basename(path) === basename(folder) ? [{ weight: 2, why: "the same name" }] : []),
  ];
}

/** What the latest chats know of the folder. */
async function recall(fs: SessionFs, { artifacts }: StoreScan, folder: string): Promise<Memory> {
  const latest = artifacts
    .filter(({ listed }) => listed?.state !== "ghost")
    .toSorted((a, b) => b.fingerprint.mtimeMs - a.fingerprint.mtimeMs)
    .slice(0, MOST.chats);
  const files = new Set<string>();
  let repository: string | undefined;
  const ask = async ({ parsed, load }: OpenSession): Promise<void> => {
    repository ??= toRepositoryName(asString(asObject(parsed.head.repoData)?.remoteUrl) ?? "");
    for (const slot of parsed.turns.slice(-MOST.turns))
      collectFiles((await toTurn(parsed.changes.of(slot), load)).value, folder, files);
  };
  for (const { path } of latest)
    try {
      await inSession(fs, path, ask);
    } catch (error) {
      // One that cannot be read was reported, and says nothing here.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  return { files: [...files].slice(0, MOST.files), ...(repository !== undefined && { repository }) };
}

/** Every URI of a file below the folder, wherever it stands. */
function collectFiles(top: unknown, folder: string, into: Set<string>): void {
  const waiting: unknown[] = [top];
  while (waiting.length > 0 && into.size < MOST.files) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    if (isObject(value) && typeof value.path === "string" && (value.scheme ?? "file") === "file") {
      const way = wayFrom(folder, toPath(value) ?? "");
      if (way !== undefined) into.add(way);
    }
    for (const inner of Object.values(value).reverse()) waiting.push(inner);
  }
}
