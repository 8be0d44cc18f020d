import { expect, it } from "vitest";
import type { Session } from "../model/session/session.ts";
import { countEqual, rankForFolder } from "./folder-matches.ts";

const session = (id: string, day: number, facts: Partial<Session>): Session => ({
  ...{ source: "one", id, title: id, turns: 1, problems: 0, models: [], path: `/${id}`, bytes: 1 },
  ...{ resume: `run ${id}`, updatedAt: `2026-11-0${day}T10:00:00Z` },
  ...facts,
});
const HERE = { folder: "/srv/shop/web", gitRoot: "/srv/shop", repository: "acme/shop", branch: "fix" };
const rank = (sessions: readonly Session[], here = HERE) =>
  rankForFolder(sessions, here).map((match) => `${match.session.id}: ${match.by}`);

it("goes by branch, repository, git root and folder, in this order, and by time within each", () => {
  const sessions = [
    session("elsewhere", 9, { workspace: "/srv/other", repository: "acme/other", branch: "fix" }),
    session("folder", 8, { workspace: "/srv/shop/web" }),
    session("root", 7, { workspace: "/srv/shop/api" }),
    session("main", 5, { workspace: "/elsewhere", repository: "Acme/Shop", branch: "main" }),
    session("old", 1, { repository: "acme/shop", branch: "fix" }),
    session("new", 2, { repository: "acme/shop", branch: "fix" }),
    session("beside", 9, { workspace: "/srv/shop-two" }),
  ];
  expect(rank(sessions)).toEqual([
    "new: branch",
    "old: branch",
    "main: repository",
    "folder: git-root",
    "root: git-root",
  ]);
  const { folder } = HERE;
  expect(rankForFolder(sessions, { folder }).map(({ by }) => by)).toEqual(["folder"]);
  expect(rankForFolder(sessions, { folder: "/link", realFolder: folder }).map(({ by }) => by)).toEqual([
    "folder",
  ]);
});

it("leaves out what cannot be continued, and prefers what is not open", () => {
  const { resume: _, ...gone } = session("gone", 9, { repository: "acme/shop", branch: "fix" });
  const open = session("open", 8, { repository: "acme/shop", branch: "fix", openIn: 7 });
  expect(rank([gone, session("empty", 9, { repository: "acme/shop", turns: 0 }), open])).toEqual([
    "open: branch",
  ]);
  expect(rank([open, session("quiet", 1, { repository: "acme/shop" })])).toEqual([
    "quiet: repository",
    "open: branch",
  ]);
});

it("says how many are equally good", () => {
  const twins = ["a", "b"].map((id) => session(id, 3, { repository: "acme/shop" }));
  const matches = rankForFolder([...twins, session("c", 2, { repository: "acme/shop" })], HERE);
  expect([countEqual(matches), countEqual(matches.slice(2)), countEqual([])]).toEqual([2, 1, 0]);
});
