/** Chooses the file format for a workspace: the one that its VS Code writes itself. */
import { join } from "node:path";
import type { Piece } from "../../../../model/plan.ts";
import { writeJson } from "../../../../model/values/json.ts";
import { isErrno, type SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { JsonObject } from "../../../log/jsonl.ts";
import { KIND } from "../../format/record.ts";
import { nameFrom } from "../../index-db/stores.ts";
import { changedContent, type FileChange } from "../patch/replace.ts";
import { amendState, readState } from "../patch/state.ts";
import type { Inspection } from "./inspect.ts";

export type Form = "json" | "jsonl";

/** A store without sessions says nothing, but that VS Code has written the original. */
export async function formFor(fs: SessionFs, sessions: string, { isLog }: Inspection): Promise<Form> {
  const names = await namesIn(fs, sessions);
  if (names.some((name) => name.endsWith(".jsonl"))) return "jsonl";
  return names.some((name) => name.endsWith(".json")) || !isLog ? "json" : "jsonl";
}

async function namesIn(fs: SessionFs, folder: string): Promise<string[]> {
  try {
    return (await fs.readdir(folder)).map(({ name }) => name);
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
    return [];
  }
}

export const fileFor = (sessions: string, id: string, form: Form): string =>
  join(sessions, `${nameFrom(id)}.${form}`);

export const toText = (state: JsonObject, form: Form): string =>
  form === "json" ? writeJson(state) : `${writeJson({ kind: KIND.initial, v: state })}\n`;

/** What the file is made of: bytes of the original, as far as its form allows. */
export async function contentIn(
  fs: SessionFs,
  path: string,
  inspected: Inspection,
  change: FileChange,
  form: Form,
): Promise<Piece[]> {
  const { isLog } = inspected;
  if (isLog === (form === "jsonl")) return changedContent(fs, path, inspected, change);
  if (isLog) {
    const state = await readState(fs, path);
    const kept = { ...state, requests: (state.requests as unknown[]).slice(0, change.turns) };
    return [{ text: toText(amendState(kept, change.amendments), form) }];
  }
  const document = await changedContent(fs, path, inspected, change);
  // A document may have many lines, but a record is one.
  const value = document.map((piece) => ("file" in piece ? { ...piece, oneLine: true } : piece));
  return [{ text: `{"kind":${KIND.initial},"v":` }, ...value, { text: "}\n" }];
}
