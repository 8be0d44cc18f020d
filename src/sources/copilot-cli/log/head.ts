/** Gathers a session's head (title, times, models, parent) while its log streams by. */

import type { Artifact, Event, Parent, Session, Sidecar } from "../../../model/session/session.ts";
import { startsTurn } from "../../../model/session/turns.ts";
import { printed } from "../../../model/text/printed.ts";
import { toShell } from "../../../model/text/shell-words.ts";
import { toFileTime, toIso } from "../../../model/values/time.ts";
import { handedTo, type NotedOrigin, originIn } from "../../handed-work.ts";
import { asObject, asString, titleFrom } from "../../log/jsonl.ts";
import { folderOf, resumeWords, SOURCE } from "../workspace/locate.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { roleOf } from "./event-types.ts";
import { toInput } from "./events.ts";
import { type CopilotRecord, isMain } from "./records.ts";

export interface Head {
  /** Every line that is not blank, with its time if it has one. */
  line(time: string | undefined): void;
  /** Several of them, with the first and the latest of their times. */
  lines(count: number, first: string, latest: string): void;
  record(record: CopilotRecord, accepted: boolean): void;
  event(event: Event): void;
  /** What an event of the main agent would tell, without one: the model that did something, and a call of a tool. */
  model(name: string): void;
  called(name: string, input: unknown): void;
  isEmpty(): boolean;
  hasStart(): boolean;
  /** No record has a usable time. */
  isTimeless(): boolean;
  session(artifact: Artifact, workspace: Workspace, state: HeadState): Session;
  /** What was gathered so far, to begin with the next time. */
  facts(): HeadFacts;
}

/** Plain JSON: it is kept between two readings of a log. */
export interface HeadFacts {
  models: string[];
  lines: number;
  turns: number;
  started: boolean;
  firstPrompt?: string;
  firstTime?: string;
  lastTime?: string;
  startedAt?: string;
  producer?: string;
  folder?: string;
  repository?: string;
  /** Its server, where the log names one. */
  host?: string;
  /** The last one that a tool of GitHub's was asked about. */
  askedRepository?: string;
  branch?: string;
  parent?: Parent;
  origin?: NotedOrigin;
}

/** What is known of a session from elsewhere than its log and workspace.yaml. */
export interface HeadState {
  readonly problems: number;
  readonly openIn: number | undefined;
  readonly sidecars: readonly Sidecar[];
  /** When the log itself was last written. */
  readonly mtimeMs: number;
}

const GITHUB_TOOLS = "github-mcp-server-";

export function createHead(before?: HeadFacts): Head {
  const facts: HeadFacts = before ? { ...before } : { models: [], lines: 0, turns: 0, started: false };
  const models = new Set<string>(facts.models);
  const set = <K extends keyof HeadFacts>(key: K, value: HeadFacts[K] | undefined): void => {
    if (value !== undefined) facts[key] = value;
  };

  const start = ({ data, time }: CopilotRecord, accepted: boolean): void => {
    facts.started ||= accepted;
    set("startedAt", facts.startedAt ?? toIso(data.startTime) ?? time);
    set("producer", asString(data.copilotVersion));
    context(asObject(data.context));
  };
  /** Where the session worked; the last word counts, as it may have moved. */
  const context = (where: Record<string, unknown> | undefined): void => {
    set("folder", asString(where?.cwd));
    set("repository", asString(where?.repository));
    set("host", asString(where?.repositoryHost));
    set("branch", asString(where?.branch));
  };

  const called = (name: string, input: unknown): void => {
    if (!name.startsWith(GITHUB_TOOLS)) return;
    const { owner, repo } = asObject(input) ?? {};
    if (asString(owner) && asString(repo)) facts.askedRepository = `${printed(owner)}/${printed(repo)}`;
  };

  return {
    line(time) {
      facts.lines++;
      if (time === undefined) return;
      facts.firstTime ??= time;
      if (facts.lastTime === undefined || time > facts.lastTime) facts.lastTime = time;
    },
    lines(count, first, latest) {
      facts.lines += count;
      facts.firstTime ??= first;
      if (facts.lastTime === undefined || latest > facts.lastTime) facts.lastTime = latest;
    },
    record(record, accepted) {
      const { type, data } = record;
      const role = roleOf(type);
      if (role === "start") start(record, accepted);
      else if (role === "folder-change" && isMain(record)) context(data);
      else if (role === "resume") context(asObject(data.context));
      else if (role === "info" && data.infoType === "fork") set("parent", toParent(data.message));
      else if (role === "info" && data.infoType === "handoff") set("origin", originIn(data));
    },
    event(event) {
      if (event.agent !== undefined) return;
      if (event.kind === "prompt") {
        if (!startsTurn(event)) return;
        facts.turns++;
        facts.firstPrompt ??= titleFrom(event.text);
      } else if ((event.kind === "text" || event.kind === "usage") && event.model !== undefined)
        models.add(event.model);
      else if (event.kind === "tool-call") called(event.name, event.input);
    },
    model: (name) => void models.add(name),
    called,
    isEmpty: () => facts.lines === 0,
    hasStart: () => facts.started,
    isTimeless: () => facts.lastTime === undefined,
    facts: () => ({ ...facts, models: [...models] }),
    session(artifact, workspace, { problems, openIn, sidecars, mtimeMs }) {
      const where = workspace.folder ?? facts.folder;
      const repo = workspace.repository ?? facts.repository ?? facts.askedRepository;
      const onBranch = workspace.branch ?? facts.branch;
      const name = workspace.name?.trim();
      const title = name === undefined ? undefined : titleFrom(name);
      const createdAt = facts.startedAt ?? workspace.createdAt ?? facts.firstTime;
      const updatedAt = facts.lastTime ?? toFileTime(mtimeMs);
      const { producer, parent } = facts;
      return {
        source: SOURCE,
        id: artifact.id,
        // The program's own name is the first prompt in full unless someone chose another.
        title: title ?? facts.firstPrompt ?? "",
        turns: facts.turns,
        problems,
        models: [...models],
        path: artifact.path,
        bytes: artifact.fingerprint.size,
        ...(updatedAt !== undefined && { updatedAt }),
        // The flat files of early versions are refused.
        ...(folderOf(artifact.path) !== undefined && { resume: toShell(resumeWords(artifact.id)) }),
        ...(name !== undefined && name !== title && { name }),
        ...(createdAt !== undefined && { createdAt }),
        ...(where !== undefined && { workspace: where }),
        ...(repo !== undefined && { repository: repo }),
        ...(repo !== undefined && repo === facts.repository && facts.host && { repositoryHost: facts.host }),
        ...(onBranch !== undefined && { branch: onBranch }),
        ...(producer !== undefined && { producer }),
        ...(parent !== undefined && { parent }),
        ...handedTo(artifact.id, facts.origin),
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
  const title = titleFrom(printed(toInput(found[1])));
  return { id: found[2], kind: "fork", ...(title !== "" && { title }) };
}
