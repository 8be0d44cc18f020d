import { expect, it } from "vitest";
import type { Relative } from "../../../model/session/lineage.ts";
import type { Session } from "../../../model/session/session.ts";
import { createStyle } from "../../../present/text/style.ts";
import { printTree } from "./tree.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
const session = (id: string, more: Partial<Session> = {}): Session => ({
  source: "one",
  id,
  title: `About ${id}`,
  turns: 3,
  problems: 0,
  models: [],
  path: `/p/${id}`,
  bytes: 1,
  updatedAt: "2026-11-15T11:00:00.000Z",
  ...more,
});
const relative = (id: string, children: Relative[] = [], more: Partial<Relative> = {}): Relative => ({
  key: { source: "one", id },
  title: `About ${id}`,
  session: session(id),
  children,
  ...more,
});
const page = { style: createStyle(false), columns: 80 };
const setting = { isDemo: false, now };

it("draws branches at every depth, and says what is not here any more", () => {
  const grandchild = relative("c", [], { kind: "clone" });
  const child = relative("b", [grandchild], {
    kind: "fork",
    session: session("b", { vanishedAt: "2026-11-01" }),
  });
  const { session: _, ...gone } = relative("a", [child, relative("d", [], { kind: "fork" })], { title: "" });
  expect(printTree([gone, relative("x", [relative("y", [], { kind: "handoff" })])], setting, page)).toEqual([
    "SESSION  HOW      TITLE                         SOURCE  TURNS  ACTIVE",
    "a                 (not on this machine)         one",
    "├─ b     fork     About b (its files are gone)  one         3  1h ago",
    "│  └─ c  clone    About c                       one         3  1h ago",
    "└─ d     fork     About d                       one         3  1h ago",
    "",
    "x                 About x                       one         3  1h ago",
    "└─ y     handoff  About y                       one         3  1h ago",
    "",
    "6 sessions in 2 families",
  ]);
});

it("says so when there are no families, or none of the session asked for", () => {
  expect(printTree([], setting, page).join(" ")).toBe(
    "No session here came from another: there are no forks, clones or handoffs. See all sessions: rethread list",
  );
  expect(printTree([], { ...setting, asked: session("a") }, page).join(" ")).toBe(
    'one:a "About a" did not come from another session, and no session came from it. See all families: rethread tree',
  );
});
