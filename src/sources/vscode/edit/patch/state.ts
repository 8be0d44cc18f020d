/** Loads a session as one value, for changes to all of it; this takes several times the memory of its file. */
import { memberOf, setMember } from "../../../../model/values/member.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asArray, type JsonObject } from "../../../log/jsonl.ts";
import type { Path } from "../../format/json-outline.ts";
import { toTurn } from "../../format/parsed-session.ts";
import { TURNS } from "../../format/record.ts";
import { inWholeSession } from "../../format/session-file.ts";
import { type Amendment, EACH } from "./amend.ts";

/** Nothing is cut. */
export const readState = (fs: SessionFs, path: string): Promise<JsonObject> =>
  inWholeSession(fs, path, async ({ parsed, load }) => {
    const turns: unknown[] = [];
    for (const slot of parsed.turns) turns.push((await toTurn(parsed.changes.of(slot), load)).value);
    return { ...parsed.head, [TURNS]: turns };
  });

/** In the value itself. */
export function amendState(state: JsonObject, amendments: readonly Amendment[]): JsonObject {
  for (const { path, value } of amendments) amendValue(state, path, value, path.includes(EACH));
  return state;
}

function amendValue(holder: unknown, path: Path, value: unknown, onlyThere: boolean): void {
  const [step = "", ...rest] = path;
  if (typeof holder !== "object" || holder === null) return;
  const fields = holder as Record<string | number, unknown>;
  if (step === EACH)
    for (const index of asArray(holder).keys()) amendValue(fields, [index, ...rest], value, true);
  else if (rest.length > 0) amendValue(memberOf(fields, step), rest, value, onlyThere);
  else if (value === undefined) delete fields[step];
  else if (!onlyThere || Object.hasOwn(fields, step)) setMember(fields, step, value);
}
