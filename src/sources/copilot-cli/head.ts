/** Gathers a session's head (title, times, models, parent) while its log streams by. */
import type { Artifact, Event, Parent, Session, Sidecar } from "../../model/session.ts";
import { startsTurn } from "../../model/turns.ts";
import { asObject, asString, titleFrom, toIso } from "../jsonl.ts";
import { toInput } from "./events.ts";
import { folderOf, SOURCE } from "./locate.ts";
import { type CopilotRecord, isMain } from "./records.ts";
import type { Workspace } from "./workspace.ts";

export interface Head {
  /** Every line that is not blank, with its time if it has one. */
  line(time: string | undefined): void;
  record(record: CopilotRecord, accepted: boolean): void;
  event(event: Event): void;
  isEmpty(): boolean;
  hasStart(): boolean;
  /** No record has a usable time. */
  isTimeless(): boolean;
  session(artifact: Artifact, workspace: Workspace, state: HeadState): Session;
}

/** What is known of a session from elsewhere than its log and workspace.yaml. */
export interface HeadState {
  readonly problems: number;
  readonly openIn: number | undefined;
  readonly sidecars: readonly Sidecar[];
  /** When the log itself was last written. */
  readonly mtimeMs: number;
}

export function createHead(): Head {
  const models = new Set<string>();
  let lines = 0;
  let turns = 0;
  let started = false;
  let firstPrompt: string | undefined;
  let firstTime: string | undefined;
  let lastTime: string | undefined;
  let startedAt: string | undefined;
  let producer: string | undefined;
  let folder: string | undefined;
  let repository: string | undefined;
  let branch: string | undefined;
  let parent: Parent | undefined;

  const start = ({ data, time }: CopilotRecord, accepted: boolean): void => {
    started ||= accepted;
    startedAt ??= toIso(data.startTime) ?? time;
    producer = asString(data.copilotVersion) ?? producer;
    context(asObject(data.context));
  };
  /** Where the session worked; the last word counts, as it may have moved. */
  const context = (where: Record<string, unknown> | undefined): void => {
    folder = asString(where?.cwd) ?? folder;
    repository = asString(where?.repository) ?? repository;
    branch = asString(where?.branch) ?? branch;
  };

  return {
    line(time) {
      lines++;
      firstTime ??= time;
      if (time !== undefined && (lastTime === undefined || time > lastTime)) lastTime = time;
    },
    record(record, accepted) {
      const { type, data } = record;
      if (type === "session.start") start(record, accepted);
      else if (type === "session.context_changed" && isMain(record)) context(data);
      else if (type === "session.resume") context(asObject(data.context));
      else if (type === "session.info" && data.infoType === "fork") parent = toParent(data.message) ?? parent;
    },
    event(event) {
      if (event.agent !== undefined) return;
      if (event.kind === "prompt") {
        if (!startsTurn(event)) return;
        turns++;
        firstPrompt ??= titleFrom(event.text);
      } else if ((event.kind === "text" || event.kind === "usage") && event.model !== undefined)
        models.add(event.model);
    },
    isEmpty: () => lines === 0,
    hasStart: () => started,
    isTimeless: () => lastTime === undefined,
    session(artifact, workspace, { problems, openIn, sidecars, mtimeMs }) {
      const where = workspace.folder ?? folder;
      const repo = workspace.repository ?? repository;
      const onBranch = workspace.branch ?? branch;
      const createdAt = startedAt ?? workspace.createdAt ?? firstTime;
      return {
        source: SOURCE,
        id: artifact.id,
        // The program's own name is the first prompt in full unless someone chose another.
        title: (workspace.name === undefined ? undefined : titleFrom(workspace.name)) ?? firstPrompt ?? "",
        turns,
        problems,
        models: [...models],
        path: artifact.path,
        bytes: artifact.fingerprint.size,
        updatedAt: lastTime ?? new Date(mtimeMs).toISOString(),
        // The flat files of early versions are refused.
        ...(folderOf(artifact.path) !== undefined && { resume: `copilot --resume ${artifact.id}` }),
        ...(createdAt !== undefined && { createdAt }),
        ...(where !== undefined && { workspace: where }),
        ...(repo !== undefined && { repository: repo }),
        ...(onBranch !== undefined && { branch: onBranch }),
        ...(producer !== undefined && { producer }),
        ...(parent !== undefined && { parent }),
        ...(openIn !== undefined && { openIn }),
        ...(sidecars.length > 0 && { sidecars }),
      };
    },
  };
}

/** The only trace of a fork is a sentence, with the titles quoted as in JSON: Forked from "title" (id) as … */
function toParent(message: unknown): Parent | undefined {
  const found = /^Forked from ("(?:[^"\\]|\\.)*") \(([^()]+)\)/.exec(asString(message) ?? "");
  if (found?.[1] === undefined || found[2] === undefined) return undefined;
  const title = titleFrom(String(toInput(found[1])));
  return { id: found[2], kind: "fork", ...(title !== "" && { title }) };
}
