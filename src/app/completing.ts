/**
 * What may be typed next, for a shell that asks on every Tab: answered from the store as it is, without opening the app.
 * Workspaces alone are asked of the editors' own files.
 */
import { demoFolder } from "../demo/places.ts";
import { shortId } from "../model/values/id.ts";
import { type Database, peek } from "../platform/sqlite/untouched.ts";
import {
  findModels,
  findNames,
  findRepositories,
  findTags,
  type NamedSession,
} from "../store/completions.ts";
import { storePath } from "../store/path.ts";
import type { AppConfig } from "./config.ts";

export const COMPLETIONS = ["sessions", "repositories", "models", "tags", "workspaces"] as const;
export type Completion = (typeof COMPLETIONS)[number];

export interface Candidate {
  readonly value: string;
  /** What it is, in words that somebody else may have written. */
  readonly about: string;
}

/** A shell that shows more than this shows nothing that can be read. */
const MOST = 200;

export async function complete(kind: Completion, typed: string, config: AppConfig): Promise<Candidate[]> {
  const all = kind === "workspaces" ? await workspaceIds(config) : await storedNames(kind, typed, config);
  // Two of the same would have their titles in common, too, and a shell adds that to the line.
  const unique = new Map(all.map((each) => [each.value, each]));
  return [...unique.values()]
    .filter(({ value }) => value.startsWith(typed) && isPlainWord(value))
    .slice(0, MOST);
}

/** Nothing that any shell would have to quote; other names are typed by hand. */
const isPlainWord = (value: string): boolean => /^[\w][\w./@+-]*$|^\.$/.test(value);

async function storedNames(
  kind: Exclude<Completion, "workspaces">,
  typed: string,
  config: AppConfig,
): Promise<Candidate[]> {
  const folder = await storeFolder(config);
  const ask = <T>(question: (db: Database) => T): T => peek(storePath(folder), question);
  if (kind === "sessions") return sessionNames(ask(findNames), typed);
  const texts = ask({ models: findModels, repositories: findRepositories, tags: findTags }[kind]);
  return texts.map((value) => ({ value, about: "" }));
}

/** No database of a hub is asked while somebody types. */
async function storeFolder(config: AppConfig): Promise<string> {
  if (config.demo === "on") return demoFolder(config.dataHome);
  if (config.providerUrl === undefined) return config.dataHome;
  const { folderOfVariables } = await import("./provided.ts");
  return folderOfVariables(config);
}

/** As short as `list` shows them, unless two begin alike or more was typed. */
function sessionNames(sessions: readonly NamedSession[], typed: string): Candidate[] {
  const counts = new Map<string, number>();
  for (const { id } of sessions) counts.set(shortId(id), (counts.get(shortId(id)) ?? 0) + 1);
  const named = sessions.map(({ id, title }) => {
    const short = shortId(id);
    return { value: counts.get(short) === 1 && short.startsWith(typed) ? short : id, about: title };
  });
  return [
    ...named,
    { value: "latest", about: "the most recently active session" },
    { value: ".", about: "the latest session of this folder" },
  ];
}

async function workspaceIds(config: AppConfig): Promise<Candidate[]> {
  const { createApp } = await import("./app.ts");
  const app = await createApp(config);
  const { workspaces } = await app.workspaces({}, { freshness: "stored", onNotice: () => undefined });
  await app.close();
  return workspaces.flatMap(({ id, folder, editor }) =>
    id === undefined ? [] : [{ value: id, about: [folder ?? "", editor ?? ""].join(" ").trim() }],
  );
}
