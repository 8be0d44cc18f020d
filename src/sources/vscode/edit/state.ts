/** A session as one value, for those changes that concern all of it; it takes several times the memory of its file. */
import type { SessionFs } from "../../../platform/session-fs.ts";
import type { JsonObject } from "../../jsonl.ts";
import { TURNS } from "../record.ts";
import { inSession } from "../session-file.ts";
import { toTurn } from "../told.ts";
import type { Amendment } from "./amend.ts";

/** Nothing is cut, however long. */
export const readState = (fs: SessionFs, path: string): Promise<JsonObject> =>
  inSession(
    fs,
    path,
    async ({ told, load }) => {
      const turns: unknown[] = [];
      for (const slot of told.turns) turns.push((await toTurn(told.changes.of(slot), load)).value);
      return { ...told.head, [TURNS]: turns };
    },
    Number.POSITIVE_INFINITY,
  );

/** In the value itself. Paths lead through what is there. */
export function amendState(state: JsonObject, amendments: readonly Amendment[]): JsonObject {
  for (const { path, value } of amendments) {
    let parent = state as Record<string | number, unknown>;
    for (const step of path.slice(0, -1)) parent = parent[step] as Record<string | number, unknown>;
    const last = path.at(-1) ?? "";
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return state;
}
