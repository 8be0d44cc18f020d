import { describe, expect, it } from "vitest";
import { catalogOf, fakeSource, toSession } from "../../test/cli/fake-source.ts";
import type { Problem } from "../model/problem.ts";
import type { Session } from "../model/session/session.ts";
import { fits, knownSources, listFromFiles } from "./list.ts";

const session = (head: Partial<Session>): Session => toSession({ id: "a", head });

describe("listFromFiles", () => {
  it("puts the latest activity first, and sessions without a time last", async () => {
    const catalog = catalogOf(
      fakeSource([
        { id: "timeless" },
        { id: "old", head: { updatedAt: "2026-01-01T00:00:00.000Z" } },
        { id: "new", head: { updatedAt: "2026-02-01T00:00:00.000Z" } },
      ]),
    );
    const { sessions } = await listFromFiles(catalog, {});
    expect(sessions.map((each) => each.id)).toEqual(["new", "old", "timeless"]);
  });

  it("tells how many there are, regardless of the limit", async () => {
    const catalog = catalogOf(fakeSource([{ id: "a" }, { id: "b" }, { id: "c" }]));
    const list = await listFromFiles(catalog, {}, { limit: 2 });
    expect({ shown: list.sessions.length, total: list.total }).toEqual({ shown: 2, total: 3 });
  });

  it("counts what the scan and the reader found about a session, once, and oddities not at all", async () => {
    const problem = (code: Problem["code"]): Problem => ({
      code,
      source: "fake",
      session: "a",
      path: "/p",
      message: code,
    });
    const source = fakeSource(
      [
        {
          id: "a",
          problems: [problem("session-orphaned"), problem("record-torn"), problem("record-unknown")],
        },
      ],
      "fake",
      { scanProblems: [problem("session-orphaned"), problem("session-hidden")] },
    );
    const { sessions } = await listFromFiles(catalogOf(source), {});
    expect(sessions.map((each) => each.problems)).toEqual([3]);
  });

  it("refuses a source that nobody has heard of, and suggests the one meant", () => {
    const catalog = catalogOf(fakeSource([], "copilot-cli"), fakeSource([], "vscode"));
    expect(() => knownSources(catalog, ["vscoed"])).toThrow(
      expect.objectContaining({ code: "usage", hint: "Did you mean vscode?" }),
    );
    expect(() => knownSources(catalog, ["copilot"])).toThrow(
      expect.objectContaining({ hint: "Did you mean copilot-cli?" }),
    );
  });

  it("looks for who has a session open only where that is asked", async () => {
    const catalog = catalogOf(fakeSource([{ id: "a" }, { id: "b" }]));
    let asked = 0;
    const counting = {
      ...catalog,
      owners: (...all: Parameters<typeof catalog.owners>) => {
        asked += all[0].length;
        return catalog.owners(...all);
      },
    };
    await listFromFiles(counting, {}, { owners: false });
    expect(asked).toBe(0);
    await listFromFiles(counting, {}, { limit: 1 });
    expect(asked).toBe(1);
  });

  it("reads only the sources asked for", async () => {
    const catalog = catalogOf(fakeSource([{ id: "a" }], "one"), fakeSource([{ id: "b" }], "two"));
    const { sessions } = await listFromFiles(catalog, { sources: ["two"] });
    expect(sessions.map((each) => each.id)).toEqual(["b"]);
  });
});

describe("fits", () => {
  it("finds a workspace by itself, by a folder above, or by a part, whatever its case", () => {
    const here = session({ workspace: "/srv/Shop/storefront" });
    for (const workspace of ["/srv/Shop/storefront", "/srv/shop/", "store"])
      expect(fits(here, { workspace })).toBe(true);
    expect(fits(here, { workspace: "/srv/other" })).toBe(false);
    expect(fits(session({}), { workspace: "store" })).toBe(false);
  });

  it("finds a Windows workspace with either kind of slash", () => {
    expect(fits(session({ workspace: "C:\\Work\\Shop" }), { workspace: "c:/work" })).toBe(true);
  });

  it("finds a branch by its whole name or a part between slashes, not by chance", () => {
    expect(fits(session({ branch: "feature/login" }), { branch: "login" })).toBe(true);
    expect(fits(session({ branch: "maintenance" }), { branch: "main" })).toBe(false);
  });

  it("finds a model by a part of its name", () => {
    const used = session({ models: ["claude-sonnet-4.5", "gpt-5"] });
    expect([fits(used, { model: "Sonnet" }), fits(used, { model: "gemini" })]).toEqual([true, false]);
    expect(fits(session({ models: [] }), { model: "gpt" })).toBe(false);
  });

  it("keeps both ends of a period", () => {
    const at = session({ updatedAt: "2026-07-01T12:00:00.000Z" });
    const time = "2026-07-01T12:00:00.000Z";
    expect(fits(at, { since: time, until: time })).toBe(true);
    expect(fits(at, { since: "2026-07-01T12:00:00.001Z" })).toBe(false);
    expect(fits(at, { until: "2026-07-01T11:59:59.999Z" })).toBe(false);
    expect(fits(session({}), { since: time })).toBe(false);
  });

  it("finds a repository by any part of its name", () => {
    expect(fits(session({ repository: "lumen-shop/storefront" }), { repository: "Shop/Store" })).toBe(true);
    expect(fits(session({ repository: "lumen-shop/storefront" }), { repository: "infra" })).toBe(false);
  });
});
