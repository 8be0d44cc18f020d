import { expect, it } from "vitest";
import { ACTIONS } from "../../../src/model/remedy.ts";
import { wayOf } from "./remedy-way.ts";

const KEY = "copilot-cli:a";

it("leads from every action to something in the pages, but for what only a terminal can do", () => {
  const copied = Object.keys(ACTIONS).filter((action) => wayOf({ action, session: KEY }).does === "copy");
  expect(copied).toEqual(["demo", "help", "migrate", "serve"]);
  const nameless = Object.keys(ACTIONS).filter((action) => wayOf({ action }).does === "copy");
  expect(nameless).toEqual(copied);
});

it.each([
  [
    { action: "clone", session: KEY, args: { budget: "60k", dropOldest: "50%" } },
    { kind: "clone", sessions: [KEY], input: { budget: 60_000, dropOldest: { percent: 50 } } },
  ],
  [
    { action: "handoff", session: KEY, args: { to: "codex", at: 2, workspace: "/a", budget: 900 } },
    { kind: "handoff", sessions: [KEY], input: { to: "codex", at: 2, workspace: "/a", budget: 900 } },
  ],
  [
    { action: "handoff", session: KEY, args: { asBrief: true, budget: 300 } },
    { kind: "handoff", sessions: [KEY], input: { to: "briefing", budget: 300 } },
  ],
  [
    { action: "rewind", session: KEY, args: { to: 3 } },
    { kind: "rewind", sessions: [KEY], input: { to: 3 } },
  ],
  [
    { action: "move", args: { from: "/a", to: "/b" } },
    { kind: "move", sessions: [], input: { from: "/a", to: "/b" } },
  ],
  [
    { action: "move", session: KEY, asks: { to: "folder" } },
    { kind: "move", sessions: [KEY], input: {} },
  ],
  [
    { action: "rescue", args: { vscode: true } },
    { kind: "rescue-all", sessions: [], input: { source: "vscode" } },
  ],
  [
    { action: "undo", args: { operation: "0b1c", asCopy: true } },
    { kind: "backup-copy", sessions: [], input: { operation: "0b1c" } },
  ],
])("opens a plan for %j", (remedy, request) => {
  expect(wayOf(remedy)).toEqual({ does: "change", request });
});

it("is about the session of the page where it names none, and else lets one be chosen", () => {
  expect(wayOf({ action: "export" }, KEY)).toMatchObject({ does: "download", session: KEY });
  expect(wayOf({ action: "export" })).toEqual({ does: "go", to: "/sessions", search: {} });
  expect(wayOf({ action: "show" }, KEY)).toEqual({ does: "open", session: KEY });
  expect(wayOf({ action: "rescue" })).toEqual({ does: "go", to: "/doctor", search: {} });
});

it("knows conversations from sessions, and indexes from one another", () => {
  expect(wayOf({ action: "chat", session: "0b1c" })).toMatchObject({ to: "/chat", search: { id: "0b1c" } });
  expect(wayOf({ action: "chat", session: KEY })).toMatchObject({ search: { session: KEY } });
  expect(wayOf({ action: "index", args: { copilot: true } })).toEqual({ does: "index-copilot" });
  expect(wayOf({ action: "index", args: { rebuild: true } })).toEqual({ does: "index", rebuild: true });
});
