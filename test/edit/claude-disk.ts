/** A home of Claude Code on the disk, with a session and all that the program keeps about it, and our commands on it. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createEditCore, type EditCore } from "../../src/app/edit/core.ts";
import { exportBundle } from "../../src/app/export/bundle.ts";
import type { Disk } from "../../src/platform/disk/disk.ts";
import { readHead } from "../../src/query/heads.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import { folderName } from "../../src/sources/claude-code/locate.ts";
import { writeTranscript } from "../real/claude-rows.ts";
import { hashTail } from "./guard.ts";
import { quickDisk } from "./quick-disk.ts";
import { NOW, openClaude } from "./source-homes.ts";

export const CLAUDE_ID = "11111111-aaaa-4bbb-8ccc-00000000000c";

export interface ClaudeDisk {
  /** The program's folder, and our own. */
  readonly claude: string;
  readonly data: string;
  /** The folder that the session is about. */
  readonly workspace: string;
  readonly catalog: Catalog;
  edit(disk?: Disk): EditCore;
  /** In the folder of the project. */
  file(...names: string[]): string;
  /** One more turn of the session, which changed one file of the workspace and made another in a folder of its own. */
  recordFiles(): void;
  /** The session as a bundle, beside the program's folder. */
  bundle(): Promise<string>;
  remove(): void;
}

const BEGAN = new Date("2026-11-01T10:00:00.000Z");

export function createClaudeDisk(): ClaudeDisk {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-claude-")));
  const [claude, data, workspace] = [join(folder, "claude"), join(folder, "data"), join(folder, "shop")];
  mkdirSync(workspace);
  const project = join(claude, "projects", folderName(workspace));
  const put = (path: string, content: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o600 });
    utimesSync(path, BEGAN, BEGAN);
  };
  const own = { sessionId: CLAUDE_ID, cwd: workspace };
  const output = join(project, CLAUDE_ID, "tool-results", "call-1.txt");
  const t = writeTranscript();
  t.prompt("Count the files.", own);
  t.call("call-1", own);
  const content = `<persisted-output>\nFull output saved to: ${output}\n</persisted-output>`;
  t.prompt([{ type: "tool_result", tool_use_id: "call-1", content }], own);
  t.answer("Two files.", own);
  t.prompt("Thanks.", own);
  t.note({
    ...{ type: "file-history-snapshot", messageId: "row-1" },
    snapshot: {
      messageId: "row-1",
      trackedFileBackups: { "a.ts": { backupFileName: "abcd@v1", version: 1 } },
    },
  });
  t.note({
    type: "last-prompt",
    lastPrompt: "Thanks.",
    leafUuid: t.answer("Any time.", own),
    sessionId: CLAUDE_ID,
  });
  put(join(project, `${CLAUDE_ID}.jsonl`), t.text());
  const agent = writeTranscript();
  agent.prompt("Count.", { ...own, isSidechain: true, agentId: "a1" });
  agent.answer("Two.", { ...own, isSidechain: true, agentId: "a1" });
  put(join(project, CLAUDE_ID, "subagents", "agent-a1.jsonl"), agent.text());
  put(join(project, CLAUDE_ID, "subagents", "agent-a1.meta.json"), '{"toolUseId":"call-1"}');
  put(output, "a.ts\nb.ts\n");
  put(join(claude, "file-history", CLAUDE_ID, "abcd@v1"), "before\n");
  put(join(claude, "projects", "-srv-other", "99999999-aaaa-4bbb-8ccc-00000000000c.jsonl"), t.text());
  put(join(claude, "settings.json"), "{}");
  const catalog = openClaude(claude);
  const edit = (disk = quickDisk): EditCore =>
    createEditCore({
      ...{ catalog, home: data, now: () => NOW, folder: workspace, disk },
      find: (name) => resolveSession(catalog, name),
      refresh: async () => undefined,
    });
  return {
    ...{ claude, data, workspace, catalog, edit },
    file: (...names) => join(project, ...names),
    recordFiles() {
      const path = join(project, `${CLAUDE_ID}.jsonl`);
      const rows = readFileSync(path, "utf8").trimEnd().split("\n");
      const more = writeTranscript();
      more.goTo(rows.map((row) => JSON.parse(row)).findLast(({ type }) => type === "assistant").uuid);
      const asked = more.prompt("Change them.", { ...own, uuid: "asked" });
      const state = (path: string, backupFileName: string | null) => ({
        ...{ backupFileName, version: 1, realParentDir: dirname(path) },
      });
      const [changed, made] = [join(workspace, "a.ts"), join(workspace, "new", "b.ts")];
      const snapshot = { messageId: asked, trackedFileBackups: { [changed]: state(changed, "abcd@v1") } };
      more.note({ type: "file-history-snapshot", messageId: asked, snapshot });
      const noted = { type: "file-history-delta", messageId: asked, snapshotMessageId: asked };
      more.note({ ...noted, trackingPath: made, backup: state(made, null) });
      const does = (id: string, toolUseResult: object): void => {
        const input = { command: id };
        more.answer([{ type: "tool_use", id, name: "Bash", input }], { ...own, uuid: `${id}-call` });
        const content = [{ type: "tool_result", tool_use_id: id, content: "Done." }];
        more.prompt(content, { ...own, uuid: `${id}-result`, toolUseResult });
      };
      const patch = [{ oldStart: 1, newStart: 1, lines: ["-before", "+after"] }];
      const strings = { oldString: "before", newString: "after", originalFile: "before\n" };
      does("change", { filePath: changed, ...strings, structuredPatch: patch });
      does("make", { type: "create", filePath: made, content: "b\n", originalFile: null });
      more.answer("Changed.", { ...own, uuid: "changed" });
      put(path, `${rows.join("\n")}\n${more.text()}`);
      put(changed, "after\n");
      put(made, "b\n");
    },
    async bundle() {
      const { artifact } = await resolveSession(catalog, CLAUDE_ID);
      const guard = hashTail(catalog, data);
      const request = { out: "one.tar.gz", folder, force: true, guard, now: NOW, madeBy: "test" };
      return (await exportBundle(catalog, [await readHead(catalog, artifact)], request)).path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
