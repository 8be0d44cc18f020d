/** Questions about one session or two, answered from their own files. */
import { refuseAborted } from "../../platform/fs/abortable.ts";
import type { FindStoredTurns } from "../../query/turn-range.ts";
import { toProgress, withoutSignal } from "../call.ts";
import { problemInDemo } from "../choose-catalog.ts";
import type { App } from "../contract.ts";
import type { KnownLens } from "../lens/lens.ts";
import type { Remembered } from "../lens/remembered.ts";
import type { Request } from "../request.ts";
import type { Asking } from "./asking.ts";

type Names =
  | "show"
  | "outline"
  | "brief"
  | "turns"
  | "record"
  | "changedFiles"
  | "image"
  | "find"
  | "lastPrompt"
  | "context"
  | "lens"
  | "checkpoints"
  | "checkpoint"
  | "diff";

export function questionsOfSessions({ ask, request, demo }: Asking): Pick<App, Names> {
  /** Made with the first lens, as reading needs none. */
  let lenses: Remembered<KnownLens> | undefined;
  return {
    show: (name, options, visitor, call = {}) =>
      ask(call, async (opened) => {
        const { showSession } = await import("../../query/show.ts");
        const { catalog, naming, unlessGone, asListed } = opened;
        const progress = toProgress(call);
        const shown = showSession(
          catalog,
          name,
          {
            ...options,
            naming,
            asListed,
            ...(progress && { progress }),
            storedTurns: storedTurns(opened),
          },
          {
            ...visitor,
            head: (session, problems) => visitor.head(session, demo ? problems.map(problemInDemo) : problems),
          },
        );
        return unlessGone(name, shown);
      }),
    outline: (name, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone, askStoreOrNot, asListed }) => {
        const { outlineOf } = await import("../../query/outline.ts");
        const progress = toProgress(call);
        const answer = outlineOf(catalog, name, {
          naming,
          ...(progress && { progress }),
          async stored(artifact) {
            const { findOutline } = await import("../../store/outline.ts");
            return askStoreOrNot(({ db, rowsVersion }) => findOutline(db, artifact, rowsVersion));
          },
        });
        const { problems, ...outline } = await unlessGone(name, answer);
        const session = await asListed(outline.session);
        return { ...outline, session, problems: demo ? problems.map(problemInDemo) : problems };
      }),
    brief: (name, wanted = {}, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone, asListed }) => {
        const [{ BRIEF_OUTPUT, createBriefReader }, { showSession }] = await Promise.all([
          import("../../query/brief.ts"),
          import("../../query/show.ts"),
        ]);
        const reader = createBriefReader(wanted);
        const progress = toProgress(call);
        const how = { naming, asListed, textLimit: BRIEF_OUTPUT, ...(progress && { progress }) };
        await unlessGone(name, showSession(catalog, name, how, reader));
        return reader.end();
      }),
    turns: (name, wanted = {}, call = {}) =>
      ask(call, async (opened) => {
        const { turnsOf } = await import("../../query/turns.ts");
        const progress = toProgress(call);
        const { catalog, naming, unlessGone } = opened;
        const places = { naming, storedTurns: storedTurns(opened), ...(progress && { progress }) };
        return unlessGone(name, turnsOf(catalog, name, wanted, places));
      }),
    record: (name, wanted, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone, askStoreOrNot }) => {
        const { recordOf } = await import("../../query/record.ts");
        const progress = toProgress(call);
        const found = recordOf(catalog, name, wanted, {
          naming,
          ...(progress && { progress }),
          async lineBefore(artifact, line) {
            const { findLineBefore } = await import("../../store/turn-ranges.ts");
            return askStoreOrNot(({ db, rowsVersion }) => findLineBefore(db, artifact, rowsVersion, line));
          },
        });
        return unlessGone(name, found);
      }),
    changedFiles: (name, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone, askStore }) => {
        const [{ locateSession }, { findChangedFiles }, { joinSpellings }] = await Promise.all([
          import("../../query/resolve.ts"),
          import("../../store/changed-files.ts"),
          import("../../model/session/changed-files.ts"),
        ]);
        const artifact = await unlessGone(name, locateSession(catalog, name, toProgress(call), naming));
        const { files, workspace } = await askStore({}, ({ db }) => findChangedFiles(db, artifact));
        return joinSpellings(files, workspace);
      }),
    image: (name, id, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone }) => {
        const { imageOf } = await import("../../query/image.ts");
        const progress = toProgress(call);
        return unlessGone(name, imageOf(catalog, name, id, { naming, ...(progress && { progress }) }));
      }),
    find: (name, wanted, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone }) => {
        const { findText } = await import("../../query/find.ts");
        const progress = toProgress(call);
        const how = { naming, ...(progress && { progress }) };
        return unlessGone(name, findText(catalog, name, wanted, how));
      }),
    lastPrompt: (key, call = {}) =>
      ask(call, async ({ askStoreOrNot }) => {
        const { findLastPrompt } = await import("../../store/last-prompt.ts");
        return askStoreOrNot(({ db }) => findLastPrompt(db, key));
      }),
    context: (name, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone, asListed }) => {
        const { contextOf } = await import("../../query/context.ts");
        const report = await unlessGone(name, contextOf(catalog, name, toProgress(call), naming));
        return { ...report, session: await asListed(report.session) };
      }),
    async lens(name, wanted = {}, call = {}) {
      refuseAborted(call.signal);
      const [{ askLens }, { createRemembered }] = await Promise.all([
        import("../lens/lens.ts"),
        import("../lens/remembered.ts"),
      ]);
      lenses ??= createRemembered();
      // Who drags a handle takes questions back, but the session that they share is read to its end.
      const answer = await askLens(await request(withoutSignal(call)), name, wanted, call, lenses);
      refuseAborted(call.signal);
      return answer;
    },
    checkpoints: (name, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone }) => {
        const { checkpointsOf } = await import("../../query/checkpoints.ts");
        return unlessGone(name, checkpointsOf(catalog, name, toProgress(call), naming));
      }),
    checkpoint: (name, number, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone }) => {
        const { checkpointOf } = await import("../../query/checkpoints.ts");
        return unlessGone(name, checkpointOf(catalog, name, number, toProgress(call), naming));
      }),
    diff: (a, b, call = {}) =>
      ask(call, async ({ catalog, find }) => {
        const { diffSessions } = await import("../../query/diff.ts");
        return diffSessions(catalog, await find(a), await find(b));
      }),
  };
}

const storedTurns =
  ({ askStoreOrNot }: Request): FindStoredTurns =>
  async (artifact, which) => {
    const { findTurns } = await import("../../store/turn-ranges.ts");
    return askStoreOrNot(({ db, rowsVersion }) => findTurns(db, artifact, rowsVersion, which));
  };
