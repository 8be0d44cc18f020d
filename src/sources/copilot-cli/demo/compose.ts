/** Composes a story as the files of a session that Copilot CLI resumes. */
import type { FileImage } from "../../../model/image.ts";
import type { Story, StoryTurn } from "../../../model/session/story.ts";
import { uuidOf } from "../../../model/values/stable-id.ts";
import { CHECKPOINT_FOLDER, CHECKPOINT_INDEX, CHECKPOINT_TABLE_HEAD } from "../workspace/checkpoints.ts";
import { writeFlat } from "../workspace/flat-yaml.ts";
import { LOG } from "../workspace/locate.ts";
import { WORKSPACE_FILE } from "../workspace/workspace.ts";
import { composeSnapshots } from "./compose-snapshots.ts";
import { tellTurn } from "./compose-turn.ts";

/** The version whose layout is written; the program accepts older and newer ones alike. */
export const VERSION = "1.0.102";

export function compose(story: Story): FileImage[] {
  const folder = `session-state/${story.id}`;
  const log = createLog(story);
  const checkpoints: Checkpoint[] = [];
  const prompts: string[] = [];

  log.add(story.createdAt, "session.start", {
    sessionId: story.id,
    version: 1,
    producer: "copilot-agent",
    copilotVersion: VERSION,
    startTime: story.createdAt,
    selectedModel: story.model,
    context: { cwd: story.workspace, ...git(story) },
    alreadyInUse: false,
    remoteSteerable: false,
  });
  for (const [index, turn] of story.turns.entries()) {
    prompts.push(tellTurn(log, turn, story.model, index));
    if (turn.compaction) checkpoints.push(compact(log, story, index, checkpoints.length + 1));
    if (story.forkOf && index + 1 === (story.forkOf.keep ?? story.turns.length))
      log.add(log.now(1), "session.info", { infoType: "fork", message: forkSentence(story, story.forkOf) });
  }
  log.add(log.now(1), "session.shutdown", {
    shutdownType: "routine",
    totalPremiumRequests: 0,
    totalApiDurationMs: 0,
    sessionStartTime: Date.parse(story.createdAt),
    codeChanges: { linesAdded: 0, linesRemoved: 0, filesModified: [] },
    modelMetrics: {},
    currentModel: story.model,
  });

  const ended = log.now();
  const file = (name: string, content: string, mtime = ended): FileImage => ({
    path: `${folder}/${name}`,
    content,
    mode: 0o600,
    mtime,
  });
  return [
    file(LOG, log.text()),
    file(WORKSPACE_FILE, workspaceFile(story, checkpoints.length, ended)),
    file(`${CHECKPOINT_FOLDER}/${CHECKPOINT_INDEX}`, checkpointIndex(checkpoints)),
    ...checkpoints.map(({ name, body, at }) => file(`${CHECKPOINT_FOLDER}/${name}`, body, at)),
    ...(story.files ? composeSnapshots(story, prompts).map(({ name, text }) => file(name, text)) : []),
  ];
}

/** The only trace that a fork leaves, in the program's own words. */
const forkSentence = (fork: Story, from: { id: string; title: string }): string =>
  `Forked from ${JSON.stringify(from.title)} (${from.id}) as ${JSON.stringify(fork.title)} (${fork.id}).`;

/** The log as it grows: ids made from the story's own, each record naming the one before it. */
export interface Log {
  /** A new id, the same whenever the same story is written. */
  id(): string;
  /** The time of the last record, moved on by so many seconds. */
  now(seconds?: number): string;
  /** Gives back the id of the record. */
  add(time: string, type: string, data: object): string;
  text(): string;
}

function createLog(story: Story): Log {
  const lines: string[] = [];
  let count = 0;
  let parentId: string | null = null;
  let last = story.createdAt;
  const log: Log = {
    id: () => uuidOf(`${story.id}/${count++}`),
    now: (seconds = 0) => new Date(Date.parse(last) + seconds * 1000).toISOString(),
    add(time, type, data) {
      const id = log.id();
      lines.push(JSON.stringify({ type, data, id, timestamp: time, parentId }));
      parentId = id;
      last = time;
      return id;
    },
    text: () => `${lines.join("\n")}\n`,
  };
  return log;
}

interface Checkpoint {
  readonly number: number;
  readonly title: string;
  readonly name: string;
  readonly body: string;
  /** When it was written. */
  readonly at: string;
}

function compact(log: Log, story: Story, last: number, number: number): Checkpoint {
  const turn = story.turns[last] as StoryTurn & { compaction: NonNullable<StoryTurn["compaction"]> };
  const { title, overview } = turn.compaction;
  const asked = story.turns
    .slice(0, last + 1)
    .map(({ user }, index) => `${index + 1}. ${user.split("\n", 1)[0]}`);
  const body = `<overview>\n${overview}\n</overview>\n<history>\n${asked.join("\n")}\n</history>`;
  log.add(log.now(2), "session.compaction_start", {});
  log.add(log.now(8), "session.compaction_complete", {
    success: true,
    outcome: "applied",
    summaryContent: `${body}\n<checkpoint_title>${title}</checkpoint_title>`,
    checkpointNumber: number,
    behaviorModelId: story.model,
  });
  const slug =
    title
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join("-")
      .slice(0, 30)
      .replace(/-+$/, "") ?? "checkpoint";
  return { number, title, name: `${String(number).padStart(3, "0")}-${slug}.md`, body, at: log.now() };
}

const checkpointIndex = (checkpoints: readonly Checkpoint[]): string =>
  CHECKPOINT_TABLE_HEAD +
  checkpoints.map(({ number, title, name }) => `| ${number} | ${title} | ${name} |\n`).join("");

const workspaceFile = (story: Story, checkpoints: number, ended: string): string =>
  writeFlat({
    id: story.id,
    cwd: story.workspace,
    ...git(story),
    client_name: "github/cli",
    name: story.title,
    // Otherwise the name would have to be the first prompt.
    user_named: story.forkOf === undefined,
    summary_count: checkpoints,
    fork_count: 0,
    created_at: story.createdAt,
    updated_at: ended,
  });

const git = ({ workspace, repository, branch }: Story): Record<string, string> =>
  repository === undefined
    ? {}
    : { git_root: workspace, repository, host_type: "github", ...(branch !== undefined && { branch }) };
