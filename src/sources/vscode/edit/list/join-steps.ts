/** Joins the steps of several sessions that were planned one by one. */
import { basename } from "node:path";
import { joinSessions, type Planned, type SetStep, type Step } from "../../../../model/plan.ts";
import { fromKeyValueDb, toKeyValueDb } from "../../../../platform/sqlite/key-value-db.ts";
import { joinPlaces } from "../../../files/joined-places.ts";
import { INDEX_KEY, TABLE } from "../../index-db/state-db.ts";
import { DATABASE } from "../../index-db/stores.ts";

/** Files first, then every list once, and only then what goes: at no moment does a list name what is not there. */
export function joinSteps(steps: readonly Step[]): Step[] {
  const placed: Step[] = [];
  const set = new Map<string, SetStep>();
  const removed: Step[] = [];
  for (const step of steps) {
    if (step.does === "set") set.set(step.path, joinSets(set.get(step.path), step));
    else if (step.does === "remove") removed.push(step);
    else {
      const same = placed.findIndex(({ path }) => path === step.path);
      const joined = joinPlaces(placed[same], step, joinFiles);
      if (joined) placed[same] = joined;
      else placed.push(step);
    }
  }
  return [...placed, ...set.values(), ...removed];
}

function joinSets(first: SetStep | undefined, next: SetStep): SetStep {
  if (!first) return next;
  const { sessions: _, ...rest } = first;
  return { ...rest, ...joinSessions(first, next), cells: [...first.cells, ...next.cells] };
}

const isDatabase = ({ path }: Planned): boolean => basename(path) === DATABASE;

const joinFiles = (first: Planned, next: Planned): Planned =>
  isDatabase(next) ? joinDatabases(first, next) : next;

/** Of a workspace that VS Code has never opened. */
function joinDatabases(first: Planned, next: Planned): Planned {
  if (first.kind !== "file") return first;
  const entries = [first, next].flatMap((file) => Object.entries(entriesIn(plannedBytes(file))));
  const index = JSON.stringify({ version: 1, entries: Object.fromEntries(entries) });
  const bytes = Buffer.from(toKeyValueDb(TABLE, { [INDEX_KEY]: index }));
  return { ...first, size: bytes.length, pieces: [{ base64: bytes.toString("base64") }] };
}

/** Of a database that was drawn, and is not written yet. */
const plannedBytes = ({ pieces = [] }: Planned): Buffer =>
  Buffer.concat(
    pieces.map((piece) => ("base64" in piece ? Buffer.from(piece.base64, "base64") : Buffer.alloc(0))),
  );

/** Of the list in such a database. */
export function entriesIn(bytes: Uint8Array): Record<string, unknown> {
  const { [INDEX_KEY]: text = "{}" } = fromKeyValueDb(TABLE, bytes);
  return (JSON.parse(text) as { entries?: Record<string, unknown> }).entries ?? {};
}
