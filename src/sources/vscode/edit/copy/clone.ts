/** Clones a session, all of it or reduced, under a new id, in the same workspace or another one. */
import { AppError } from "../../../../model/errors.ts";
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { formatKey } from "../../../../model/values/id.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asArray, isObject } from "../../../jsonl.ts";
import { type CloneRequest, drawWithin } from "../../../requests.ts";
import { TURNS } from "../../format/record.ts";
import { amendState, readState } from "../patch/state.ts";
import { reduceSession } from "../reduce/reduce.ts";
import { toLosses } from "../rescue/losses.ts";
import { copySession } from "./copy.ts";
import { contentIn, toText } from "./form.ts";
import { renewId, toIdentity } from "./identity.ts";
import { inspectTurn, nothingToShow } from "./inspect.ts";
import { inspectOrRepair } from "./repaired.ts";
import { checkId } from "./session-home.ts";
import { findTarget } from "./target.ts";

export async function clone(fs: SessionFs, artifact: Artifact, request: CloneRequest): Promise<Draft> {
  const id = checkId(request.id);
  const { inspected, repaired } = await inspectOrRepair(fs, artifact);
  if (inspected.turns.length === 0) throw nothingToShow(`Session ${artifact.id}`);
  const target = await findTarget(fs, artifact, request.workspace);
  const title = request.name ?? inspected.title;
  if (request.reduce?.summarize) throw noSummaries();
  const state = repaired?.state ?? (request.reduce && (await readState(fs, artifact.path)));
  return drawWithin(request.reduce, async (reduction) => {
    const reduced =
      state &&
      reduction &&
      reduceSession(state, {
        reduction,
        count: request.reduce?.count ?? (() => 0),
        name: formatKey(artifact),
        renew: (old) => renewId(old, id),
      });
    const made = reduced ?? repaired;
    const turns = reduced ? asArray(reduced.state[TURNS]).filter(isObject).map(inspectTurn) : inspected.turns;
    const amendments = toIdentity(inspected, turns, { id, title, isElsewhere: target.isElsewhere });
    const draft = await copySession(fs, artifact, inspected, {
      id,
      now: request.now,
      title,
      target,
      turns,
      unlisted: request.unlisted,
      content: async (form) =>
        made
          ? [{ text: toText(amendState(made.state, amendments), form) }]
          : contentIn(fs, artifact.path, inspected, { amendments }, form),
    });
    // A draft that goes takes along which model was chosen.
    const isWhole = !made && !amendments.some(({ path }) => path[0] === "inputState");
    return {
      ...draft,
      ...(repaired && {
        repairs: repaired.repairs,
        losses: [...toLosses(repaired.repairs), ...draft.losses],
      }),
      ...(request.name !== undefined && { name: request.name }),
      ...(isWhole && { isWhole }),
      ...(reduced && { ledger: reduced.ledger }),
    };
  });
}

const noSummaries = (): AppError =>
  new AppError(
    "not-supported",
    "VS Code cannot store a summary of turns that were left out",
    "Leave out --summarize; a note replaces what is left out",
  );
