/** What budgets would leave of a chat, from one reading of it: its value is held in memory, and cut as a clone would be. */
import { toCuts } from "../../../../model/reduce/cuts.ts";
import { createHeldTexts } from "../../../../model/reduce/held-text.ts";
import { createLadder } from "../../../../model/reduce/ladder.ts";
import { weigherFor } from "../../../../model/reduce/passage.ts";
import type { ContextMessage } from "../../../../model/session/context.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { formatKey } from "../../../../model/values/id.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { BudgetPreview, PreviewedMessage } from "../../../editor.ts";
import { asArray, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { selectedModel, toMessages } from "../../format/history.ts";
import type { Turn } from "../../format/parsed-session.ts";
import { TURNS } from "../../format/record.ts";
import { requestStartsTurn } from "../../response/turn-events.ts";
import { toIdentity } from "../copy/identity.ts";
import { nothingToShow } from "../copy/inspect.ts";
import { inspectOrRepair } from "../copy/repaired.ts";
import { readState } from "../patch/state.ts";
import { metadataOf } from "./calls.ts";
import { applyCuts, turnsIn } from "./reduce.ts";
import { tabulate } from "./table.ts";

export async function preview(
  fs: SessionFs,
  artifact: Artifact,
  count: (text: string) => number,
): Promise<BudgetPreview> {
  const { inspected, repaired } = await inspectOrRepair(fs, artifact);
  if (inspected.turns.length === 0) throw nothingToShow(`Session ${artifact.id}`);
  const state = repaired?.state ?? (await readState(fs, artifact.path));
  const requests = asArray(state[TURNS]).filter(isObject);
  const texts = createHeldTexts(count, "counted");
  const table = tabulate(state, requests, weigherFor({ budget: 0 }, texts.count));
  const name = formatKey(artifact);
  const turns = turnsIn(table);
  const ladder = createLadder(table.passages, toCuts(table.passages, turns, {}, name), {
    turns,
    anchored: table.anchored,
  });
  // A draft that a copy cannot keep takes along which model was chosen.
  const identity = toIdentity(inspected, [], { id: artifact.id, title: inspected.title });
  const model = identity.some(({ path }) => path[0] === "inputState") ? undefined : selectedModel(state);
  return {
    count: texts.count,
    bytes: inspected.size * TIMES,
    draw(budget) {
      const cuts = toCuts(table.passages, turns, {}, name);
      const steps = ladder.fit(cuts, budget);
      const reduced = applyCuts(state, table, cuts, { reduction: { budget }, name, renew: (id) => `${id}'` });
      const kept = asArray(reduced.state[TURNS]).filter(isObject);
      return {
        steps,
        turns: kept.filter(requestStartsTurn).length,
        dropped: cuts.turns,
        messages() {
          const left = kept.map((value, at) => toTurn(value, reduced.places[at] ?? at));
          return toMessages(left, model).map((message) => toPreviewed(message, requests.length));
        },
        ledger: () => reduced.ledger,
      };
    },
  };
}

/** In memory a chat takes several times the size of its file. */
const TIMES = 4;

/** Where a message comes from is told by its request and, as rounds may go, by the id of the round. */
const toTurn = (value: JsonObject, place: number): Turn => ({
  value,
  faults: [],
  originOf: (path) => {
    const [, , list, round] = path;
    const rounds = asArray(metadataOf(value).toolCallRounds).filter(isObject);
    const id = list === "toolCallRounds" ? asString(rounds[Number(round)]?.id) : undefined;
    return { line: place, start: place, end: place, at: id === undefined ? path : [id] };
  },
});

/** There is one text about the surroundings, whichever request tells it. */
function toPreviewed(message: ContextMessage, requests: number): PreviewedMessage {
  const { role, madeUp, toolCallId = "", origin } = message;
  const isEnvironment = origin?.at?.at(-1) === "renderedGlobalContext";
  const place = isEnvironment ? requests : `${origin?.line} ${role === "tool" ? "" : origin?.at?.join(".")}`;
  return { ...message, key: `${role} ${madeUp ? "made up " : ""}${place} ${toolCallId}` };
}
