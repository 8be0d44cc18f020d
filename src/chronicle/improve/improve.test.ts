import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createReportStore, type ReportStore, type ToldSession } from "../../../test/report-store.ts";
import { daysAgo, run, runs, session, turn } from "../../../test/tips/case.ts";
import { createRedactor } from "../../model/redact/redact.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { type Improvements, makeImprovements } from "./improve.ts";
import type { InstructionFile } from "./instruction-files.ts";
import { findLessons, readLessonRows } from "./lessons.ts";

let store: ReportStore;
beforeEach(() => {
  store = createReportStore();
});
afterEach(() => store.remove());

const RANGE = { since: new Date(daysAgo(90)), until: new Date(daysAgo(-1)) };
const edit = (path: string) => ({ tool: "edit", label: path });

const lessonsOf = (...sessions: ToldSession[]) => {
  store.put(...sessions);
  const rows = readLessonRows(store.db, { filter: {}, since: daysAgo(90), until: daysAgo(-1) });
  return { rows, lessons: findLessons(rows, createRedactor().text) };
};
const linesOf = (...sessions: ToldSession[]): string[] =>
  lessonsOf(...sessions).lessons.map(({ kind, line, evidence }) => `${kind}: ${line} (${evidence.length})`);

describe("lessons", () => {
  it("are corrections: rules at once, orders when they are given again", () => {
    expect(
      linesOf(
        session("a", ["Build it", "No, use pnpm instead of npm", "No, run the linter first"]),
        session("b", ["Test it", "no, run the linter first"]),
        session("c", ["Never use floats"], { repository: "acme/other" }),
      ),
    ).toEqual(["correction: Run the linter first. (2)", "correction: Use pnpm, not npm. (1)"]);
  });

  it("are commands that were tried first and failed", () => {
    expect(
      linesOf(
        session("a", [runs("Test", "!npm test", "pnpm test")]),
        session("b", [runs("Again", "!npm test", "pnpm test")]),
      ),
    ).toEqual(["wrong-command: Use `pnpm test`, not `npm test`. (2)"]);
  });

  it("are commands that only worked after several changes, in several sessions", () => {
    const calls = [
      run("!make check"),
      edit("/srv/shop/a.ts"),
      run("!make check"),
      edit("/srv/shop/a.ts"),
      run("make check"),
    ];
    const told = { calls, files: { "/srv/shop/a.ts": "edited" } } as const;
    expect(linesOf(session("a", [turn("Repair it", told)]))).toEqual([]);
    expect(linesOf(session("b", [turn("Repair that", told)]))).toEqual([
      "tests-repeated: Before you finish, run `make check` and fix what fails. (2)",
    ]);
    // Nothing was changed between these.
    expect(
      linesOf(
        ...["c", "d"].map((id) => session(id, [runs("Run it", "!make flaky", "!make flaky", "make flaky")])),
      ),
    ).toHaveLength(1);
  });

  it("are files whose changes were taken back, by word or by git", () => {
    const changed = turn("Tidy up", {
      calls: [edit("/srv/shop/src/legacy.ts")],
      files: { "/srv/shop/src/legacy.ts": "edited" },
    });
    expect(linesOf(session("a", [changed, "Revert that, please"]))).toEqual([]);
    expect(linesOf(session("b", [changed, runs("Not that file", "git checkout -- src/legacy.ts")]))).toEqual([
      "reverted: Ask before you change `src/legacy.ts`. (2)",
    ]);
  });

  it("have no secrets in them", () => {
    const key = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const { lessons } = lessonsOf(
      session("a", ["Build it", `Always use the token ${key}`]),
      session("b", ["Build it", `No, use pnpm. The token is ${key}`]),
    );
    expect(lessons.map(({ line }) => line)).toEqual(["Use pnpm."]);
    expect(JSON.stringify(lessons)).not.toContain(key);
  });
});

describe("improvements", () => {
  const PNPM = session("a", ["Build it", "No, use pnpm instead of npm"]);
  const improved = async (
    files: Record<string, string>,
    options: { files?: readonly InstructionFile[]; refusal?: string; only?: readonly string[] } = {},
  ): Promise<Improvements> => {
    const { rows, lessons } = lessonsOf(PNPM);
    const { refusal, ...more } = options;
    return makeImprovements(rows, lessons, {
      ...RANGE,
      ...more,
      fs: createMemoryFs({ "/srv/shop/package.json": "{}", ...files }),
      climbs: true,
      refusal: () => refusal,
    });
  };
  const paths = ({ changes }: Improvements) =>
    changes.map(({ path, isNew }) => `${path}${isNew ? " (new)" : ""}`);

  it("go to AGENTS.md where there are no instructions yet", async () => {
    const found = await improved({});
    expect(paths(found)).toEqual(["/srv/shop/AGENTS.md (new)"]);
    expect(found.changes[0]?.diff).toContain("+- Use pnpm, not npm.\n");
    expect(found).toMatchObject({
      sessionCount: 1,
      turns: 2,
      notes: [],
      findings: [{ line: "Use pnpm, not npm." }],
    });
  });

  it("go to all instructions that are there, or to those that were asked for", async () => {
    const files = {
      "/srv/shop/CLAUDE.md": "# Claude\n",
      "/srv/shop/.github/copilot-instructions.md": "# Copilot\n",
    };
    expect(paths(await improved(files))).toEqual([
      "/srv/shop/.github/copilot-instructions.md",
      "/srv/shop/CLAUDE.md",
    ]);
    expect(paths(await improved(files, { files: ["CLAUDE.md"] }))).toEqual(["/srv/shop/CLAUDE.md"]);
    expect(paths(await improved(files, { files: ["AGENTS.md"] }))).toEqual(["/srv/shop/AGENTS.md (new)"]);
  });

  it("leave out what is said already, and a file that only refers to another", async () => {
    const said = await improved({ "/srv/shop/AGENTS.md": "- Use pnpm, never npm.\n" });
    expect(said).toMatchObject({ changes: [], findings: [] });
    const referring = await improved({
      "/srv/shop/AGENTS.md": "# A\n",
      "/srv/shop/CLAUDE.md": "@AGENTS.md\n",
    });
    expect(paths(referring)).toEqual(["/srv/shop/AGENTS.md"]);
  });

  it("find the root of the work tree", async () => {
    store.put(
      session("sub", ["Build it", "Never use floats for money"], { workspace: "/srv/shop/packages/cart" }),
    );
    const found = await improved({
      "/srv/shop/.git/HEAD": "ref: refs/heads/main\n",
      "/srv/shop/packages/cart/index.ts": "",
    });
    expect(paths(found)).toEqual(["/srv/shop/AGENTS.md (new)"]);
    expect(found.changes[0]?.lines).toHaveLength(2);
  });

  it("say what cannot be written, and keep the finding", async () => {
    const refused = await improved({}, { refusal: "This is no place for it." });
    expect(refused).toMatchObject({ changes: [], notes: ["This is no place for it."], findings: [{}] });
    const { rows, lessons } = lessonsOf(PNPM);
    const gone = await makeImprovements(rows, lessons, {
      ...RANGE,
      fs: createMemoryFs({}),
      climbs: true,
      refusal: () => undefined,
    });
    expect(gone).toMatchObject({ changes: [], findings: [{}] });
    expect(gone.notes[0]).toContain("is not on this machine");
  });

  it("leave a file alone that is no text", async () => {
    const { rows, lessons } = lessonsOf(PNPM);
    const fs = createMemoryFs({ "/srv/shop/x": "" });
    await fs.write("/srv/shop/AGENTS.md", Buffer.from([0xff, 0xfe, 0x41, 0x00]));
    const found = await makeImprovements(rows, lessons, {
      ...RANGE,
      fs,
      climbs: true,
      refusal: () => undefined,
    });
    expect(found).toMatchObject({ changes: [] });
    expect(found.notes[0]).toContain("not a text file");
  });

  it("say why a file is left alone, and keep what nobody can write", async () => {
    const { rows, lessons } = lessonsOf(PNPM);
    const asked = (fs: SessionFs, files?: readonly InstructionFile[]) =>
      makeImprovements(rows, lessons, {
        ...RANGE,
        ...(files && { files }),
        fs,
        climbs: true,
        refusal: () => undefined,
      });
    const memory = (more: Record<string, string>) => createMemoryFs({ "/srv/shop/x": "", ...more });
    const refusing = memory({ "/srv/shop/AGENTS.md": "# A\n" });
    const locked = {
      ...refusing,
      read: async () =>
        Promise.reject(Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" })),
    };
    for (const [found, why] of [
      [await asked(memory({ "/srv/shop/AGENTS.md/x": "" })), "AGENTS.md is a folder"],
      [await asked(locked), /AGENTS.md cannot be read \(.*permission/],
      [
        await asked(memory({ "/srv/shop/.github": "" }), [".github/copilot-instructions.md"]),
        "is below /srv/shop/.github, which is no folder",
      ],
    ] as const) {
      expect(found).toMatchObject({ changes: [], findings: [{ line: "Use pnpm, not npm." }] });
      expect(found.notes[0]).toMatch(why);
    }
    const both = await asked(
      memory({ "/srv/shop/AGENTS.md/x": "", "/srv/shop/CLAUDE.md": "- Use pnpm, never npm.\n" }),
    );
    expect(both).toMatchObject({ changes: [], findings: [] });
    expect(both.notes).toHaveLength(1);
  });

  it("take only the findings that were chosen, by ids that stay", async () => {
    const [first] = (await improved({})).findings;
    expect(paths(await improved({}, { only: [first?.id ?? ""] }))).toHaveLength(1);
    expect(paths(await improved({}, { only: [] }))).toEqual([]);
  });
});
