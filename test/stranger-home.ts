/** A home whose sessions were written on other machines and systems: of all three programs, brought here as files. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { toKeyValueDb } from "../src/platform/sqlite/key-value-db.ts";
import { folderName } from "../src/sources/claude-code/locate.ts";
import { createHome, type Home, line, start } from "./cli/home.ts";
import { INDEX_KEY, madeUpSession } from "./edit/vscode-home.ts";
import { writeTranscript } from "./real/claude-rows.ts";

export interface StrangerHome extends Home {
  copilot(id: string, cwd: string, more?: { readonly repository?: string; readonly edits?: string }): void;
  claude(id: string, cwd: string, more?: { readonly edits?: string }): void;
  /** By the address of its folder; `edits` is the address of a file. */
  vscode(id: string, folder: string, more?: { readonly edits?: string }): void;
  /** A folder of this machine, in or below the home: a clone of a repository, if it is said. */
  folder(name: string, repository?: string): string;
}

export const BEGAN = new Date("2026-11-01T10:00:00.000Z");
const FILE = "export const price = 1;\n";

export function createStrangerHome(): StrangerHome {
  const home = createHome();
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  return {
    ...home,
    copilot(id, cwd, { repository, edits } = {}) {
      const edited = edits ?? "notes.md";
      const call = { toolCallId: "c", name: "create", arguments: { path: edited, file_text: FILE } };
      home.session(
        id,
        [
          start(id, BEGAN),
          line("user.message", { content: `copilot in ${cwd}` }, BEGAN, 1),
          line("assistant.message", { messageId: "m", content: "", toolRequests: [call] }, BEGAN, 2),
          line(
            "tool.execution_start",
            { toolCallId: "c", toolName: "create", arguments: call.arguments },
            BEGAN,
            2,
          ),
          line(
            "tool.execution_complete",
            { toolCallId: "c", success: true, result: { content: "ok" } },
            BEGAN,
            2,
          ),
          line("assistant.message", { messageId: "n", content: "Done." }, BEGAN, 3),
        ],
        { cwd, ...(repository !== undefined && { repository, host_type: "github", branch: "main" }) },
      );
    },
    claude(id, cwd, { edits } = {}) {
      const transcript = writeTranscript();
      const more = { cwd, sessionId: id };
      transcript.prompt(`claude in ${cwd}`, more);
      const input = { file_path: edits ?? "notes.md", content: FILE };
      transcript.answer([{ type: "tool_use", id: "c", name: "Write", input }], more);
      transcript.result("c", {
        ...more,
        toolUseResult: { type: "create", filePath: input.file_path, content: FILE },
      });
      transcript.answer("Done.", more);
      write(join(home.path, ".claude/projects", folderName(cwd), `${id}.jsonl`), transcript.text());
    },
    vscode(id, folder, { edits } = {}) {
      const store = join(home.path, ".config/Code/User/workspaceStorage", id.replaceAll("-", ""));
      const session = madeUpSession(id, 1);
      const [request] = session.requests;
      const at = edits === undefined ? undefined : new URL(edits);
      const uri = at && {
        $mid: 1,
        scheme: at.protocol.slice(0, -1),
        authority: at.host,
        path: decodeURIComponent(at.pathname),
      };
      const edit = uri && {
        kind: "textEditGroup",
        uri,
        edits: [
          [{ range: { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 1 }, text: FILE }],
        ],
        done: true,
      };
      const response = [...(request?.response ?? []), ...(edit ? [edit] : [])];
      write(join(store, "workspace.json"), JSON.stringify({ folder }));
      write(
        join(store, "chatSessions", `${id}.json`),
        JSON.stringify({ ...session, requests: [{ ...request, response }] }),
      );
      const entry = {
        sessionId: id,
        title: "First",
        lastMessageDate: BEGAN.getTime(),
        initialLocation: "panel",
        isEmpty: false,
      };
      write(
        join(store, "state.vscdb"),
        toKeyValueDb("ItemTable", { [INDEX_KEY]: JSON.stringify({ version: 1, entries: { [id]: entry } }) }),
      );
    },
    folder(name, repository) {
      const path = join(home.path, name);
      mkdirSync(path, { recursive: true });
      if (repository !== undefined) {
        write(join(path, ".git/HEAD"), "ref: refs/heads/main\n");
        write(join(path, ".git/config"), `[remote "origin"]\n\turl = https://github.com/${repository}.git\n`);
      }
      return path;
    },
  };
}
