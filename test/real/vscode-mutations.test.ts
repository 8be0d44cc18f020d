/** Spoils every single value of a rich session in turn: whatever VS Code then refuses or loses, we must report. */
import { globSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { countsAgainst } from "../../src/model/problem.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { toTurn } from "../../src/sources/vscode/format/parsed-session.ts";
import { openSession } from "../../src/sources/vscode/format/session-file.ts";
import vscode from "../../src/sources/vscode/index.ts";
import { isSound, judgeWorkspace } from "./vscode-judge.ts";
import type { Json } from "./vscode-templates.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "rethread-mutations-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const folder = join(root, "workspaceStorage", "0123456789abcdef0123456789abcdef");
const fixture = resolve(import.meta.dirname, "../fixtures/vscode/agent-session/home");
const JUNK = [null, 0, 7, "", "text", [], [null], {}, true, undefined];
const uri = { $mid: 1, path: "/a", scheme: "file" };

type Step = string | number;

async function richSession(): Promise<Json> {
  const [log = ""] = globSync("workspaceStorage/*/chatSessions/*.jsonl", { cwd: fixture });
  const { parsed, load } = await openSession(localFs, join(fixture, log));
  const requests = [];
  for (const slot of parsed.turns) requests.push((await toTurn(parsed.changes.of(slot), load)).value as Json);
  Object.assign(requests[0] as Json, {
    usedContext: { documents: [{ uri, version: 1, ranges: [] }], kind: "usedContext" },
    contentReferences: [{ kind: "reference", reference: uri }],
    agent: { id: "a", name: "agent", metadata: {}, extensionId: { value: "x" } },
    followups: [{ kind: "reply", message: "m" }],
    editedFileEvents: [{ uri, eventKind: 1 }],
    slashCommand: { name: "fix", description: "" },
  });
  const inputState = { mode: { id: "agent" }, attachments: [], inputText: "x", selections: [], contrib: {} };
  return JSON.parse(JSON.stringify({ ...parsed.head, requests, inputState }));
}

function pathsIn(value: unknown, path: Step[] = []): Step[][] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, held]) =>
    pathsIn(held, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? inner : [path, ...inner];
}

function spoiled(session: Json, path: readonly Step[], junk: unknown): Json {
  const copy = structuredClone(session);
  let parent = copy as Record<Step, unknown>;
  for (const step of path.slice(0, -1)) parent = parent[step] as Record<Step, unknown>;
  parent[path.at(-1) as Step] = junk;
  return copy;
}

it("comes to the same verdict as VS Code about every spoiled value", async () => {
  const session = await richSession();
  const path = join(folder, "chatSessions", "s.jsonl");
  mkdirSync(join(folder, "chatSessions"), { recursive: true });
  const fingerprint = { size: 0, mtimeMs: 0, ino: 0 };
  const artifact: Artifact = { source: "vscode", id: "s", root, path, fingerprint };
  const disagreements: string[] = [];
  const paths = pathsIn(session);
  for (const [i, at] of paths.entries()) {
    for (const junk of [JUNK[i % JUNK.length], JUNK[(i * 7 + 3) % JUNK.length]]) {
      writeFileSync(path, `${JSON.stringify({ kind: 0, v: spoiled(session, at, junk) })}\n`);
      const [judged] = (await judgeWorkspace(folder)).sessions;
      let reported = false;
      await vscode.read(localFs, artifact, {
        event: () => undefined,
        problem: (problem) => {
          reported ||= countsAgainst(problem);
        },
      });
      if ((judged !== undefined && isSound(judged)) === reported) {
        disagreements.push(`${at.join(".")} = ${JSON.stringify(junk)}, reported: ${reported}`);
      }
    }
  }
  expect(disagreements).toEqual([]);
  expect(paths.length).toBeGreaterThan(400);
});
