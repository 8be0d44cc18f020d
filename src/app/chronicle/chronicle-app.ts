/** Reports on one's own work, made from the store and, for commits, from git: no model is asked. */

import type { Improvements } from "../../chronicle/improve/improve.ts";
import type { ReportKind } from "../../chronicle/polish/prompt.ts";
import type { ReportRange } from "../../chronicle/report.ts";
import type { OwnCommits } from "../../chronicle/standup/own-commits.ts";
import { makeStandup, readStandup, type Standup } from "../../chronicle/standup/standup.ts";
import type { Tips } from "../../chronicle/tips/tips.ts";
import { createRedactor } from "../../model/redact/redact.ts";
import type { Call } from "../call.ts";
import type { AppConfig } from "../config.ts";
import type { WorkPlace } from "../filters.ts";
import type { Request } from "../request.ts";
import type { ImproveOf } from "./improve.ts";
import type { Polished } from "./polish.ts";
import { rangeOf, scopeOf } from "./range.ts";

export interface StandupOf extends WorkPlace {
  /** False leaves out what `git log` says of the repositories. */
  readonly git?: boolean;
}

export interface ChronicleApp {
  /** What was worked on since then; in the last 24 hours, when no time is named. */
  standup(request?: StandupOf, call?: Call): Promise<Standup>;
  /** Patterns that cost time or tokens; of the last 90 days, when no time is named. */
  tips(request?: WorkPlace, call?: Call): Promise<Tips>;
  /** Lines for the instructions of repositories, from what was corrected; of the last 90 days, when no time is named. */
  improve(request?: ImproveOf, call?: Call): Promise<Improvements>;
  /** The JSON of a report as a prompt, for a model of the user's choice. */
  prompt(kind: ReportKind, report: unknown): Promise<string>;
  /** The same, answered by the user's own agent or command, where its answer keeps to the data. */
  polish(kind: ReportKind, report: unknown, words: string, call?: Call): Promise<Polished>;
}

export interface ChronicleParts {
  readonly config: AppConfig;
  /** Answers a question as a request of its own. */
  ask<T>(call: Call, question: (request: Request) => Promise<T>): Promise<T>;
}

const STANDUP_DAYS = 1;
const TIPS_DAYS = 90;

export function createChronicleApp({ config, ask }: ChronicleParts): ChronicleApp {
  return {
    standup: ({ git = true, ...wanted } = {}, call = {}) =>
      ask(call, async (request) => {
        const range = rangeOf(wanted, STANDUP_DAYS, config);
        const scope = await scopeOf(wanted, range, request);
        const rows = await request.askStore(wanted, ({ db }) => readStandup(db, scope));
        // The folders of the demo are no repositories, but what lies around them may be one.
        const asked = git && !request.demo ? await commitsOf(rows.sessions, range, config) : NO_COMMITS;
        for (const sentence of asked.troubles) request.notice(sentence);
        return makeStandup(rows, {
          ...range,
          now: config.now(),
          redact: createRedactor().text,
          commits: asked.commits,
          gitTroubles: asked.troubles,
        });
      }),
    tips: (wanted = {}, call = {}) =>
      ask(call, async (request) => {
        const [{ readHabits }, { makeTips }] = await Promise.all([
          import("../../chronicle/tips/habits.ts"),
          import("../../chronicle/tips/tips.ts"),
        ]);
        const range = rangeOf(wanted, TIPS_DAYS, config);
        const scope = await scopeOf(wanted, range, request);
        const habits = await request.askStore(wanted, ({ db }) => readHabits(db, scope, config.now()));
        const instructions = await instructionsIn(habits.sessions.values(), request);
        return makeTips({ ...habits, instructions }, range, createRedactor().text);
      }),
    improve: (wanted = {}, call = {}) =>
      ask(call, async (request) => {
        const { improvementsIn } = await import("./improve.ts");
        return improvementsIn(request, config, wanted);
      }),
    async prompt(kind, report) {
      const { toReportPrompt } = await import("../../chronicle/polish/prompt.ts");
      return toReportPrompt(kind, report).prompt;
    },
    polish: (kind, report, words, call = {}) =>
      ask(call, async (request) => {
        const { polishReport } = await import("./polish.ts");
        return polishReport(request, config, kind, report, words);
      }),
  };
}

const NO_COMMITS: OwnCommits = { commits: new Map(), troubles: [] };

async function commitsOf(
  sessions: readonly { readonly workspace: string | undefined }[],
  range: ReportRange,
  { environment }: AppConfig,
): Promise<OwnCommits> {
  const [{ ownCommits }, { findGit }] = await Promise.all([
    import("../../chronicle/standup/own-commits.ts"),
    import("../../platform/process/git.ts"),
  ]);
  const folders = new Set(sessions.flatMap(({ workspace }) => workspace ?? []));
  return ownCommits(findGit(environment.vars), folders, range);
}

/** By folder: whether it has instructions for agents. */
async function instructionsIn(
  sessions: Iterable<{ readonly workspace: string | undefined }>,
  { catalog, demo }: Request,
): Promise<Map<string, boolean>> {
  const { findRoot } = await import("../../chronicle/improve/instruction-files.ts");
  const folders = [...new Set(Array.from(sessions, ({ workspace }) => workspace ?? ""))];
  const found = await Promise.all(
    folders
      .slice(0, MOST_FOLDERS)
      .map(
        async (folder) => [folder, (await findRoot(catalog.fs, folder, demo === undefined))?.hasAny] as const,
      ),
  );
  return new Map(found.flatMap(([folder, hasAny]) => (hasAny === undefined ? [] : [[folder, hasAny]])));
}

/** The latest; each is looked at. */
const MOST_FOLDERS = 200;
