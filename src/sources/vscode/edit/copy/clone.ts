/** Clones a session, all of it or reduced, under a new id, in the same workspace or another one. */
import { AppError } from "../../../../model/errors.ts";
import { type Draft, sizeOfPieces } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { formatKey } from "../../../../model/values/id.ts";
import type { Relocation } from "../../../../model/values/relocate.ts";
import { throughPieces, withPiecedFile } from "../../../../platform/fs/pieced-file.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { type ChosenPaths, choosePaths, type PathCount } from "../../../files/copied-paths.ts";
import { asArray, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { type CloneRequest, drawWithin } from "../../../requests.ts";
import { TURNS } from "../../format/record.ts";
import { type MovedContent, moveContent, moveInText } from "../move/content.ts";
import { findRoute } from "../move/route.ts";
import { amendState, readState } from "../patch/state.ts";
import { reduceSession } from "../reduce/reduce.ts";
import { toLosses } from "../rescue/losses.ts";
import { copySession } from "./copy.ts";
import { contentIn, toText } from "./form.ts";
import { renewId, toIdentity } from "./identity.ts";
import { type Inspection, inspectTurn, nothingToShow } from "./inspect.ts";
import { inspectOrRepair } from "./repaired.ts";
import { checkId } from "./session-home.ts";
import { findTarget, type Target } from "./target.ts";

export async function clone(fs: SessionFs, artifact: Artifact, request: CloneRequest): Promise<Draft> {
  const id = checkId(request.id);
  const { inspected, repaired } = await inspectOrRepair(fs, artifact, request.survey);
  if (inspected.turns.length === 0) throw nothingToShow(`Session ${artifact.id}`);
  const { target, relocation } = await findPlace(fs, artifact, request);
  const title = request.name ?? request.copyName?.(inspected.title) ?? inspected.title;
  if (request.reduce?.summarize) throw noSummaries();
  const state = repaired?.state ?? (request.reduce && (await readState(fs, artifact.path)));
  const { path } = artifact;
  const survey = relocation && (await surveyPaths(fs, artifact, { inspected, state, relocation, request }));
  const { chosen, count, found } = survey ?? {};
  // What the bytes of the original are read through, where addresses are rewritten in them.
  const moved = found && addressesIn(found) > 0 ? found : undefined;
  const through = moved ? withPiecedFile(fs, path, moved.pieces) : fs;
  const size = moved ? sizeOfPieces(moved.pieces) : inspected.size;
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
    let counts = { rewritten: moved ? addressesIn(moved) : 0, kept: count?.kept() ?? 0 };
    const draft = await copySession(fs, artifact, inspected, {
      id,
      now: request.now,
      title,
      target,
      turns,
      unlisted: request.unlisted,
      async content(form) {
        if (made) {
          const text = toText(amendState(made.state, amendments), form);
          if (!chosen) return [{ text }];
          const inDraft = chosen.count();
          const inText = moveInText(text, inDraft.relocation, false);
          counts = { rewritten: addressesIn(inText), kept: inDraft.kept() };
          return [...inText.pieces];
        }
        const pieces = await contentIn(through, path, { ...inspected, size }, { amendments }, form);
        return moved ? [...throughPieces(pieces, path, moved.pieces)] : pieces;
      },
    });
    // A draft that goes takes along which model was chosen.
    const isWhole =
      !made && counts.rewritten === 0 && !amendments.some(({ path }) => path[0] === "inputState");
    return {
      ...draft,
      ...(repaired && {
        repairs: repaired.repairs,
        losses: [...toLosses(repaired.repairs), ...draft.losses],
      }),
      ...(title !== inspected.title && { name: title }),
      ...(isWhole && { isWhole }),
      ...(reduced && { ledger: reduced.ledger }),
      ...(chosen && { paths: chosen.report(counts) }),
      ...(relocation && !chosen && { losses: [...draft.losses, UNSEARCHED] }),
    };
  });
}

interface Surveyed {
  readonly inspected: Inspection;
  /** Where the copy is made of a value instead of bytes; its addresses are rewritten once its text is known. */
  readonly state: JsonObject | undefined;
  readonly relocation: Relocation;
  readonly request: CloneRequest;
}

/** A chat with lines that are too long to search keeps its addresses, unless they were to be rewritten. */
async function surveyPaths(
  fs: SessionFs,
  { path }: Artifact,
  { inspected, state, relocation, request: { paths: rule = "existing" } }: Surveyed,
): Promise<{ chosen: ChosenPaths; count: PathCount; found?: MovedContent | undefined } | undefined> {
  const inFile = (each: Relocation): Promise<MovedContent> => moveContent(fs, path, inspected, each, false);
  try {
    const chosen = await choosePaths(fs, relocation, rule, async (each) =>
      state ? moveInText(toText(state, "json"), each, false) : inFile(each),
    );
    const count = chosen.count();
    return { chosen, count, found: state ? undefined : await inFile(count.relocation) };
  } catch (error) {
    if (!(error instanceof AppError && error.code === "not-supported") || rule === "rewrite") throw error;
    return undefined;
  }
}

/** The workspace of the clone, and how addresses below the old folder would change. */
async function findPlace(
  fs: SessionFs,
  artifact: Artifact,
  { workspace, now }: CloneRequest,
): Promise<{ target: Target; relocation?: Relocation | undefined }> {
  if (workspace === undefined) return { target: await findTarget(fs, artifact) };
  const { target, relocation } = await findRoute(fs, artifact, {
    workspace,
    to: workspace,
    text: false,
    now,
  });
  return { target, relocation: target.isElsewhere ? relocation : undefined };
}

const UNSEARCHED = "the search for files in the new folder, because a line of the chat is too long";

const addressesIn = ({ toolCalls, attachments, others }: MovedContent): number =>
  toolCalls + attachments + others;

const noSummaries = (): AppError =>
  new AppError(
    "not-supported",
    "VS Code cannot store a summary of turns that were left out",
    "Leave out --summarize; a note replaces what is left out",
  );
