/** Holes of NULs and lines of hundreds of megabytes, for every source: read around, with little of them held. */
import { describe, expect, it } from "vitest";
import type { Artifact, Event } from "../../src/model/session/session.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import * as cli from "../copilot-log.ts";
import { createMadeUpFs, letters, type MadeUpPiece, nuls } from "../made-up-file.ts";
import * as vscode from "../vscode-log.ts";

const HOLE = 600 << 20;
/** Beyond what is held of any line. */
const HUGE = (process.env.RETHREAD_FULL === undefined ? 70 : 700) << 20;
const KEPT_WHOLE = 16 << 20;

const CLAUDE = "c0000000-0000-4000-8000-000000000000";
let rows = 0;
const row = (more: object): object => ({
  parentUuid: rows === 0 ? null : `u${rows}`,
  isSidechain: false,
  cwd: "/srv/shop",
  sessionId: CLAUDE,
  version: "2.0.0",
  uuid: `u${++rows}`,
  timestamp: "2026-01-02T03:04:05.000Z",
  ...more,
});
const line = (value: object): string => `${JSON.stringify(value)}\n`;

interface Case {
  readonly path: string;
  readonly root: string;
  /** A log that asks, answers "@", and asks again. */
  readonly log: () => string;
}
const CASES: Record<string, Case> = {
  "copilot-cli": {
    path: cli.artifact.path,
    root: "/copilot",
    log: () =>
      [
        cli.start,
        cli.record("user.message", { content: "first" }),
        cli.record("assistant.message", { messageId: "m", content: "@", toolRequests: [] }),
        cli.record("user.message", { content: "second" }),
      ]
        .map(line)
        .join(""),
  },
  "claude-code": {
    path: `/claude/projects/-srv-shop/${CLAUDE}.jsonl`,
    root: "/claude",
    log: () => {
      rows = 0;
      const content = [{ type: "text", text: "@" }];
      return [
        row({ type: "user", message: { role: "user", content: "first" } }),
        row({ type: "assistant", message: { id: "m", role: "assistant", model: "x", content } }),
        row({ type: "user", message: { role: "user", content: "second" } }),
      ]
        .map(line)
        .join("");
    },
  },
  vscode: {
    path: vscode.PATH,
    root: "/User",
    log: () =>
      [
        { kind: 0, v: vscode.sessionOf() },
        { kind: 2, k: ["requests"], v: [vscode.turn("first", [{ value: "@" }])] },
        { kind: 2, k: ["requests"], v: [vscode.turn("second", [{ value: "answer" }])] },
      ]
        .map(line)
        .join(""),
  },
};

describe.each(Object.entries(CASES))("%s", (source, { path, root, log }) => {
  const open = (pieces: readonly MadeUpPiece[]) => {
    const fs = createMadeUpFs(path, pieces);
    const id = /([^/]+?)(?:\/events)?\.jsonl$/.exec(path)?.[1] ?? "";
    const fingerprint = { size: fs.size, mtimeMs: Date.UTC(2026, 0, 2), ino: 1 };
    const artifact: Artifact = { source, id, root, path, fingerprint };
    const catalog = openCatalog(SOURCES, { platform: "linux", homeDir: "/", vars: {} }, fs);
    return { artifact, catalog };
  };
  const read = async (pieces: readonly MadeUpPiece[], skim: boolean, maxLine?: number) => {
    const { artifact, catalog } = open(pieces);
    const texts: string[] = [];
    const codes = new Set<string>();
    const event = (each: Event): void => {
      if (each.kind === "prompt" || each.kind === "text") texts.push(each.text);
    };
    const sink = { event, problem: ({ code }: { code: string }) => void codes.add(code) };
    await catalog.read(artifact, sink, { skim, ...(maxLine !== undefined && { maxLine }) });
    return { texts, codes };
  };

  it.each([false, true])("is read around a hole of 600 MB, skimming: %s", async (skim) => {
    const lines = log().split("\n");
    const at = lines.findIndex((each) => each.includes("second"));
    const [first, rest] = [lines.slice(0, at), lines.slice(at)].map((each) => each.join("\n")) as [
      string,
      string,
    ];
    const { texts, codes } = await read([`${first}\n`, nuls(HOLE), "\n", rest], skim);
    expect(texts).toEqual(expect.arrayContaining(["first", "second"]));
    expect(codes).toContain("record-unreadable");
  });

  it("is read around a line that is too long to be held, however much of it is wanted", async () => {
    const [before = "", behind = ""] = log().split("@");
    const pieces = [before, letters(HUGE), behind];
    for (const maxLine of [undefined, Number.POSITIVE_INFINITY]) {
      const { texts, codes } = await read(pieces, false, maxLine);
      expect(texts.map((text) => text.slice(0, 6))).toEqual(
        expect.arrayContaining(["first", "aaaaaa", "second"]),
      );
      expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(KEPT_WHOLE);
      expect(codes).toContain("too-large");
    }
    const { artifact, catalog } = open(pieces);
    const messages = await catalog.context(artifact);
    expect(messages.map(({ text }) => text.slice(0, 6))).toEqual(expect.arrayContaining(["first", "second"]));
  });
});
