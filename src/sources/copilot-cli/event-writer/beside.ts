/**
 * Keeps what Copilot CLI has beside a log: workspace.yaml, the files of checkpoints and their table, the plan, and files
 * of the session. Each file is replaced as a whole; one that could not be written is tried again with the next events.
 */
import { AppError } from "../../../model/errors.ts";
import { isErrno, type SessionFs } from "../../../platform/fs/session-fs.ts";
import { asNumber, asObject, asString } from "../../log/jsonl.ts";
import { withoutTitle } from "../../summary/tags.ts";
import { changeFields, readFields, type Scalars } from "../edit/copy/workspace-text.ts";
import { fileNameOf, titleIn } from "../edit/summary/text.ts";
import { CHECKPOINT_FOLDER, CHECKPOINT_INDEX, CHECKPOINT_TABLE_HEAD } from "../workspace/checkpoints.ts";
import { PLAN, under } from "../workspace/locate.ts";
import { WORKSPACE_FILE } from "../workspace/workspace.ts";
import type { NewEvent } from "./event.ts";
import { readEvents } from "./read-events.ts";

type Content = string | Uint8Array;

export interface Beside {
  /** The event with what only this side knows: the number and the file of the checkpoint that a compaction writes. */
  complete(event: NewEvent): NewEvent;
  /** Called for every event that is taken, after `complete`. */
  note(event: NewEvent): void;
  /** Without a text it is removed. Gives back the event that says so. */
  plan(text: string | undefined): Promise<NewEvent>;
  /** A file in `files/`; without content it is removed. Gives back the event that says so. */
  file(name: string, content: Content | undefined): Promise<NewEvent>;
  isDirty(): boolean;
  /** Writes what has changed; to be called again after a failure. */
  write(): Promise<void>;
  /** Resolves when everything is written. */
  settled(): Promise<void>;
}

const TABLE = `${CHECKPOINT_FOLDER}/${CHECKPOINT_INDEX}`;
/** No name that people give is longer. */
const LONGEST_NAME = 2000;

export async function openBeside(
  fs: SessionFs,
  folder: string,
  { hasLog, now }: { readonly hasLog: boolean; readonly now: () => Date },
): Promise<Beside> {
  const at = (name: string): string => under(folder, ...name.split("/"));
  const changed = new Map<string, Content | null>();
  let watchers: (() => void)[] = [];
  let workspace = (await textAt(fs, at(WORKSPACE_FILE))) ?? "";
  let table = await textAt(fs, at(TABLE));
  const fields = readFields(workspace);
  const isKnown = Object.keys(fields).length > 0;
  let id = asString(fields.id) ?? folder.split(/[\\/]/).at(-1) ?? "";
  let name = asString(fields.name);
  let checkpoints = Math.max(toCount(fields.summary_count), ...numbersIn(table ?? ""));

  const describe = (more: Scalars): void => {
    const time = now().toISOString();
    const isNew = workspace === "" && more.created_at === undefined;
    workspace = changeFields(workspace, { ...more, ...(isNew && { created_at: time }), updated_at: time });
    changed.set(WORKSPACE_FILE, workspace);
  };
  const noteFacts = ({ type, data, agentId }: NewEvent): void => {
    const facts = asObject(data) ?? {};
    if (agentId !== undefined) return;
    if (type === "session.start") {
      id = asString(facts.sessionId) ?? id;
      describe(startFields(id, facts));
    }
    const prompt = type === "user.message" ? asString(facts.content)?.trim() : undefined;
    if (name === undefined && prompt) {
      name = prompt.slice(0, LONGEST_NAME);
      describe({ id, name, user_named: false, summary_count: checkpoints });
    }
  };
  // Written by something that keeps no such file: what it would say stands in the log.
  if (hasLog && !isKnown) for (const event of (await readEvents(fs, folder)).events) noteFacts(event);

  const existing = async (path: string, isChanged: Content | null | undefined): Promise<boolean> =>
    isChanged === undefined ? fs.exists(path) : isChanged !== null;
  const change = async (path: string, content: Content | undefined): Promise<string> => {
    const wasThere = await existing(at(path), changed.get(path));
    if (content !== undefined || wasThere) changed.set(path, content ?? null);
    return content === undefined ? "delete" : wasThere ? "update" : "create";
  };

  return {
    complete(event) {
      const data = asObject(event.data);
      const summary = isCompaction(event) ? asString(data?.summaryContent) : undefined;
      if (!data || summary === undefined) return event;
      const number = typeof data.checkpointNumber === "number" ? data.checkpointNumber : checkpoints + 1;
      const path =
        asString(data.checkpointPath) ??
        at(`${CHECKPOINT_FOLDER}/${fileNameOf(number, titleIn(summary, id))}`);
      return { ...event, data: { ...data, checkpointNumber: number, checkpointPath: path } };
    },
    note(event) {
      noteFacts(event);
      const data = asObject(event.data);
      const summary = isCompaction(event) ? asString(data?.summaryContent) : undefined;
      const file = asString(data?.checkpointPath)?.split(/[\\/]/).at(-1);
      if (summary === undefined || file === undefined || typeof data?.checkpointNumber !== "number") return;
      const number = data.checkpointNumber;
      checkpoints = Math.max(checkpoints, number);
      const row = `| ${number} | ${titleIn(summary, id).replaceAll("|", "/")} | ${file} |\n`;
      const before = table ?? CHECKPOINT_TABLE_HEAD;
      table = `${before.endsWith("\n") ? before : `${before}\n`}${row}`;
      changed.set(`${CHECKPOINT_FOLDER}/${file}`, withoutTitle(summary));
      changed.set(TABLE, table);
      describe({ id, summary_count: checkpoints });
    },
    async plan(text) {
      const operation = await change(PLAN, text);
      return { type: "session.plan_changed", data: { operation } };
    },
    async file(path, content) {
      if (!isWithin(path)) throw notWithin(path);
      const operation = await change(`files/${path}`, content);
      return { type: "session.workspace_file_changed", data: { path, operation } };
    },
    isDirty: () => changed.size > 0,
    async write() {
      for (const [file, content] of [...changed]) {
        await replace(fs, at(file), content);
        // It may have changed again meanwhile.
        if (changed.get(file) === content) changed.delete(file);
      }
      if (changed.size > 0) return;
      for (const go of watchers.splice(0)) go();
    },
    settled: () =>
      changed.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            watchers = [...watchers, resolve];
          }),
  };
}

const isCompaction = ({ type, data, agentId }: NewEvent): boolean =>
  type === "session.compaction_complete" && agentId === undefined && asObject(data)?.success === true;

/** As the program itself takes them from where it is started. */
function startFields(id: string, data: Readonly<Record<string, unknown>>): Scalars {
  const context = asObject(data.context) ?? {};
  const named = {
    cwd: context.cwd,
    git_root: context.gitRoot,
    repository: context.repository,
    host_type: context.hostType,
    branch: context.branch,
    client_name: data.producer,
    created_at: data.startTime,
  };
  const said = Object.entries(named).flatMap(([key, value]) => {
    const text = asString(value);
    return text ? [[key, text] as const] : [];
  });
  return { id, ...Object.fromEntries(said), summary_count: 0, fork_count: 0 };
}

const numbersIn = (table: string): number[] =>
  [...table.matchAll(/^\| (\d+) \|/gm)].map((row) => Number(row[1]));

async function textAt(fs: SessionFs, path: string): Promise<string | undefined> {
  try {
    return Buffer.from(await fs.read(path)).toString("utf8");
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR")) throw error;
    return undefined;
  }
}

/** Readers see the old file or the new one. */
async function replace(fs: SessionFs, path: string, content: Content | null): Promise<void> {
  if (content === null) {
    await fs.rm(path);
    return;
  }
  const aside = `${path}.tmp`;
  await fs.mkdir(under(path, ".."));
  await fs.write(aside, content, 0o600);
  await fs.rename(aside, path);
}

const isWithin = (name: string): boolean =>
  name !== "" &&
  !/[\\\0:]/.test(name) &&
  name.split("/").every((part) => part !== "" && part !== "." && part !== "..");

const notWithin = (name: string): AppError =>
  new AppError(
    "usage",
    `${JSON.stringify(name)} is no name of a file in the session's folder`,
    "Name it by its way below files/, with forward slashes",
  );

/** Written by hand, it may be in quotes. */
const toCount = (value: unknown): number => asNumber(value) ?? (Number(asString(value) ?? 0) || 0);
