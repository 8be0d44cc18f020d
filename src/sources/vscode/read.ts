/** Reads one session: from its file, or from what else is left of it when the file was emptied. */

import { countsAgainst, type ProblemCode } from "../../model/problem.ts";
import type { Artifact, Session } from "../../model/session/session.ts";
import { cutDeep } from "../../model/values/json.ts";
import { isOddTime, ODD_TIME } from "../../model/values/time.ts";
import { MAX_LINE } from "../../platform/fs/lines.ts";
import { reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { isObject, type JsonObject, TOO_DEEP_TO_SHOW } from "../log/jsonl.ts";
import type { ReadOptions, ReadSink } from "../source.ts";
import { findRescue, isDamaged, isIntact, isTelling } from "./format/fallbacks.ts";
import { createHead } from "./format/head.ts";
import {
  rejectionsOfHead,
  type SavedTurn,
  toSavedTurn,
  whyNotSaved,
  whyTurnRejected,
  whyUsedContextRejected,
} from "./format/load-requirements.ts";
import { type Fault, type ParsedSession, type Turn, toTurn } from "./format/parsed-session.ts";
import { problem } from "./format/problems.ts";
import { inSession, isNewer, type OpenSession } from "./format/session-file.ts";
import { readTranscript } from "./format/transcript.ts";
import { editingStateIn, storeFolderOf } from "./index-db/stores.ts";
import { readWorkspace } from "./index-db/workspace.ts";
import { type EditingState, readEditingState } from "./response/edits.ts";
import { readFileStates } from "./response/file-states.ts";
import { hasOddTime, toEvents } from "./response/turn-events.ts";

export async function read(
  fs: SessionFs,
  artifact: Artifact,
  sink: ReadSink,
  options: ReadOptions = {},
): Promise<Session> {
  const { id, path } = artifact;
  const folder = storeFolderOf(path);
  // That its file is unreadable was reported by the scan, once for all sessions of the store.
  const workspace = folder === undefined ? undefined : await readWorkspace(fs, folder, () => undefined);
  const head = createHead(artifact, workspace?.name);
  const reader = createReader(fs, artifact, options, head.turn, {
    event: (event) => {
      head.add(event);
      sink.event(event);
    },
    problem: (found) => {
      if (countsAgainst(found)) head.problem();
      sink.problem(found);
    },
  });
  try {
    // A turn may be made of bytes from anywhere in the file, so that of all ranges only an empty one can be given.
    const isWanted = options.range === undefined || options.range.end > options.range.start;
    if (isWanted && artifact.listed?.state === "ghost") head.producer(await reader.transcript(path));
    else if (isWanted) await reader.session(folder, head.tell);
    if (folder !== undefined && !options.skim)
      head.sidecars(await readFileStates(fs, editingStateIn(folder, id)));
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error; // a defect of ours, or of the sink
    // The disk failed, not the content: what was read so far stays.
    reader.report({ code: "session-unreadable", message: `the file cannot be read: ${reasonOf(error)}` });
  }
  return head.end(id);
}

/** The steps of a reading, sharing what they report to. */
function createReader(
  fs: SessionFs,
  artifact: Artifact,
  options: ReadOptions,
  seen: (turn: JsonObject) => void,
  sink: ReadSink,
) {
  const { id, path } = artifact;
  // All of it is in memory by then, so who skims for what a command printed last may as well see it.
  const textLimit = options.skim ? Number.POSITIVE_INFINITY : (options.textLimit ?? Number.POSITIVE_INFINITY);
  const maxLine = options.maxLine ?? MAX_LINE;

  const report = (fault: Fault, where = path): void => {
    const found = problem(fault.code, where, fault.message, id);
    sink.problem({ ...found, ...(fault.line !== undefined && { line: fault.line }) });
  };

  const transcript = async (from: string): Promise<string | undefined> => {
    const file = from === path ? {} : { file: from };
    const { events, faults, producer } = await readTranscript(fs, from, { maxLine, textLimit, ...file });
    for (const fault of faults) report(fault, from);
    for (const event of events) sink.event(event);
    return producer;
  };

  const edits = async (folder: string | undefined): Promise<EditingState> => {
    if (folder === undefined) return { byTurn: new Map() };
    const from = editingStateIn(folder, id);
    try {
      const state = await readEditingState(fs, from, options.edits);
      const { fault, newer } = state;
      if (newer !== undefined) report({ code: "format-newer", message: newer }, from);
      else if (fault !== undefined) report({ code: "sidecar-unreadable", message: fault }, from);
      return state;
    } catch (error) {
      report({ code: "sidecar-unreadable", message: reasonOf(error) }, from);
      return { byTurn: new Map() };
    }
  };

  /** Gives the turns of a file to the sink and says how many there were. */
  const turns = async (
    { parsed, load, isLog }: OpenSession,
    slots: ParsedSession["turns"],
    { byTurn, baselines }: EditingState,
    from = path,
  ): Promise<number> => {
    const kinds = new Set<string>();
    const saved: SavedTurn[] = [];
    let count = 0;
    const context = {
      textLimit,
      edits: byTurn,
      withEdits: options.edits === true,
      baselines,
      rounds: new Set<string>(),
      late: new Map(),
      unknown: (kind: string, line: number): void => {
        if (kinds.has(kind)) return;
        kinds.add(kind);
        report({ code: "record-unknown", line, message: `parts of kind ${kind} are not known` }, from);
      },
    };
    for (const slot of slots) {
      const changes = parsed.changes.of(slot);
      const turn = await toTurn(changes, load);
      const line = changes[0]?.origin.line ?? 1;
      for (const fault of turn.faults) if (isJudged(parsed, fault)) report(fault, from);
      if (cutDeep(turn.value)) report({ code: "too-deep", line, message: TOO_DEEP_TO_SHOW }, from);
      if (isIntact(parsed) && !isNewer(parsed)) {
        for (const message of rejectionsOfTurn(turn.value)) {
          report({ code: "record-invalid", line, message }, from);
        }
      }
      if (!isTelling(turn.value, parsed)) continue;
      count++;
      if (isObject(turn.value)) {
        saved.push(toSavedTurn(turn.value));
        seen(turn.value);
        if (hasOddTime(turn.value)) report({ code: "time-odd", line, message: ODD_TIME }, from);
      }
      for (const event of toEvents(from === path ? turn : placedIn(turn, from), context)) sink.event(event);
    }
    const rejection = isLog && !isNewer(parsed) ? whyNotSaved(parsed.head, saved) : undefined;
    if (rejection !== undefined) report({ code: "record-invalid", message: rejection });
    return count;
  };

  /** Nothing is in the file that VS Code would show. Something may be left elsewhere. */
  const rescue = async (file: OpenSession, folder: string | undefined): Promise<void> => {
    const rest = await findRescue(fs, file, { path, id, folder });
    const edited = await edits(folder);
    if (!isDamaged(file.parsed)) {
      const emptied =
        rest !== undefined || typeof file.parsed.head.customTitle === "string" || edited.byTurn.size > 0;
      const [code, message]: [ProblemCode, string] = emptied
        ? ["session-emptied", "the conversation was removed from the file"]
        : ["session-empty", "the file has no turns"];
      report({ code, message });
    }
    if (rest?.by === "log") await turns(file, rest.turns, edited);
    if (rest?.by === "transcript") await transcript(rest.path);
    if (rest?.by === "twin") await twin(rest.path, edited);
  };

  const twin = (from: string, edited: EditingState): Promise<void> =>
    inFile(from, async (file) => {
      for (const fault of file.parsed.faults) report(fault, from);
      await turns(file, file.parsed.turns, edited, from);
    });

  const inFile = (from: string, work: (file: OpenSession) => Promise<void>): Promise<void> =>
    inSession(fs, from, work, maxLine);

  return {
    report,
    transcript,
    session: (folder: string | undefined, tell: (head: JsonObject) => void): Promise<void> =>
      inFile(path, async (file) => {
        const { parsed } = file;
        if (cutDeep(parsed.head)) report({ code: "too-deep", message: TOO_DEEP_TO_SHOW });
        if ([parsed.head.creationDate, parsed.head.lastMessageDate].some(isOddTime))
          report({ code: "time-odd", message: ODD_TIME });
        tell(parsed.head);
        for (const fault of parsed.faults) report(fault);
        // What a damaged file lacks it may have lost with the damage.
        if (isIntact(parsed) && !isNewer(parsed)) {
          for (const message of rejectionsOfHead(parsed.head, parsed.hasTurns)) {
            report({ code: "record-invalid", message });
          }
        }
        // VS Code refuses a session for a faulty change even to a turn that is gone since.
        for (const slot of parsed.dropped ?? []) {
          const { faults } = await toTurn(parsed.changes.of(slot), file.load);
          for (const fault of faults) if (isJudged(parsed, fault)) report(fault);
        }
        const count = parsed.turns.length > 0 ? await turns(file, parsed.turns, await edits(folder)) : 0;
        if (count === 0) await rescue(file, folder);
      }),
  };
}

/** Records that we do not know may have made of a turn what it seems to lack. */
const isJudged = (parsed: ParsedSession, { code }: Fault): boolean =>
  code !== "record-invalid" || !isNewer(parsed);

const rejectionsOfTurn = (value: unknown): string[] =>
  [whyTurnRejected(value), isObject(value) ? whyUsedContextRejected(value) : undefined].filter(
    (message) => message !== undefined,
  );

/** What it is made of stands in another file than the session's own. */
const placedIn = (turn: Turn, file: string): Turn => ({
  ...turn,
  originOf: (path) => ({ file, ...turn.originOf(path) }),
});
