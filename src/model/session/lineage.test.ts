import { expect, it } from "vitest";
import { everyRelative, type LineageLink, type Relative, toFamilies } from "./lineage.ts";
import type { Session } from "./session.ts";

const session = (id: string, hour: number, more: Partial<Session> = {}): Session => ({
  source: "one",
  id,
  title: `Title of ${id}`,
  turns: 1,
  problems: 0,
  models: [],
  path: `/p/${id}`,
  bytes: 1,
  createdAt: `2026-11-01T${String(hour).padStart(2, "0")}:00:00.000Z`,
  updatedAt: `2026-11-01T${String(hour).padStart(2, "0")}:30:00.000Z`,
  ...more,
});
const forkOf = (id: string, title?: string): Partial<Session> => ({
  parent: { id, kind: "fork", ...(title !== undefined && { title }) },
});
const link = (child: string, parent: string, kind: LineageLink["kind"] = "clone"): LineageLink => ({
  child: { source: "one", id: child },
  parent: { source: "one", id: parent },
  kind,
});
/** "a(fork b(fork c) fork d)" */
const drawn = ({ key, kind, session: own, children }: Relative): string =>
  `${kind ? `${kind} ` : ""}${key.id}${own ? "" : "?"}${children.length > 0 ? `(${children.map(drawn).join(" ")})` : ""}`;
const families = (sessions: Session[], recorded: LineageLink[] = []): string[] =>
  toFamilies(sessions, recorded).map(drawn);

it("joins parents and children into trees, siblings in the order they were made, loners left out", () => {
  const sessions = [
    session("d", 4, forkOf("a")),
    session("b", 2, forkOf("a")),
    session("a", 1),
    session("x", 9),
  ];
  expect(families([...sessions, session("c", 3, forkOf("b"))])).toEqual(["a(fork b(fork c) fork d)"]);
});

it("shows a parent that is not on this machine, with the title its child remembers", () => {
  const [family] = toFamilies([session("b", 2, forkOf("gone", "The first one"))], []);
  expect(family).toMatchObject({ key: { source: "one", id: "gone" }, title: "The first one" });
  expect(family).not.toHaveProperty("session");
});

it("knows what we recorded, across sources, and believes it rather than a log", () => {
  const elsewhere = { ...link("h", "a", "handoff"), child: { source: "two", id: "h" } };
  const sessions = [session("a", 1), session("b", 2, forkOf("z")), session("h", 3, { source: "two" })];
  expect(families(sessions, [link("b", "a"), elsewhere])).toEqual(["a(clone b handoff h)"]);
});

it("puts the oldest first where records go in a circle, and leaves out who claims to be their own parent", () => {
  const circle = [session("c", 3, forkOf("b")), session("b", 2, forkOf("a")), session("a", 1, forkOf("c"))];
  expect(families(circle)).toEqual(["a(fork b(fork c))"]);
  expect(families([session("a", 1, forkOf("a"))])).toEqual([]);
});

it("begins with the family that was active last", () => {
  const old = [session("a", 1), session("b", 2, forkOf("a"))];
  const young = [session("c", 0), session("d", 20, forkOf("c"))];
  expect(families([...old, ...young])).toEqual(["c(fork d)", "a(fork b)"]);
});

it("takes one session for copies of it under two roots", () => {
  const copies = [
    session("b", 2, forkOf("a")),
    session("b", 2, { ...forkOf("a"), path: "/q/b" }),
    session("a", 1),
  ];
  expect(families(copies)).toEqual(["a(fork b)"]);
});

it("takes a family of any number of generations; the latest ones stand beside each other", () => {
  const forks = 5000;
  const sessions = Array.from({ length: forks }, (_, at) =>
    session(`s${at}`, 1, at === 0 ? {} : forkOf(`s${at - 1}`)),
  );
  const [family, ...others] = toFamilies(sessions, []);
  expect(others).toEqual([]);
  expect(new Set(everyRelative(family as Relative).map(({ key }) => key.id)).size).toBe(forks);
  expect(() => JSON.stringify(family)).not.toThrow();
});
