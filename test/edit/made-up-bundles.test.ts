/** Whatever somebody calls a bundle is taken in or refused with a reason, and brings no locks along. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMigrateCore } from "../../src/app/migrate/core.ts";
import { AppError } from "../../src/model/errors.ts";
import { hashTail } from "./guard.ts";
import { createEditHome, type EditHome, ID as KEPT } from "./home.ts";
import { type Content, manifestOf, toBundle } from "./made-up-bundle.ts";
import { NOW } from "./source-homes.ts";

const ID = "11111111-aaaa-4bbb-8ccc-000000000009";
const CONTENT: Content = {
  "events.jsonl": `{"type":"session.start","data":{"sessionId":"${ID}","version":1},"id":"a","timestamp":"2026-11-01T10:00:00.000Z","parentId":null}\n`,
  "files/note.md": "one",
};
let home: EditHome;
let file: string;
beforeAll(() => {
  home = createEditHome();
  file = join(home.data, "..", "it.tar.gz");
});
afterAll(() => home.remove());

const folder = (id = ID): string => join(home.copilot, "session-state", id);
const write = (manifest: unknown, content: Content = CONTENT): string => {
  writeFileSync(file, toBundle(manifest, content));
  return file;
};

describe("locks in a bundle", () => {
  it("are not put into one", async () => {
    const names = ["inuse.4.lock", "inuse.4.hold", "plan.md.tmp.5dfacf11-399c-4f96-ad78-b3acc3903b6a"];
    for (const name of names) writeFileSync(home.file(name), "");
    const { artifacts } = await home.catalog.scan();
    const files = await Promise.all(artifacts.map((artifact) => home.catalog.files(artifact)));
    expect(files.flat()).toContain(home.file("plan.md"));
    for (const name of names) expect(files.flat()).not.toContain(home.file(name));
    for (const name of names) rmSync(home.file(name));
  });

  it("stay behind, and the import says so", async () => {
    const locks = {
      "inuse.1.lock": "1\n",
      "inuse.1.hold": "",
      "INUSE.2.LOCK": "2\n",
      "inuse.3.lock/file": "in a folder of that name",
      ".workspace-fork.lock": "",
      "workspace.yaml.tmp.5dfacf11-399c-4f96-ad78-b3acc3903b6a": "half",
      "rewind-file-snapshots/index.json.tmp.5dfacf11-399c-4f96-ad78-b3acc3903b6a": "half",
    };
    const own = { ...CONTENT, "files/inuse.1.lock": "somebody's own file" };
    const content = { ...own, ...locks };
    const edit = home.edit();
    const plan = await edit.planImport(write(manifestOf(content), content), {});
    expect(plan.losses).toEqual([
      "locks: inuse.1.lock, inuse.1.hold, INUSE.2.LOCK and 2 more",
      expect.stringMatching(/^files that were never finished: workspace\.yaml\.tmp\.\S+, rewind\S+$/),
    ]);
    await edit.apply(plan);
    expect(readdirSync(folder(), { recursive: true }).sort()).toEqual([
      "events.jsonl",
      "files",
      "files/inuse.1.lock",
      "files/note.md",
    ]);
    // It can be changed, which a lock of a living process would forbid.
    await edit.apply(await edit.planRename(ID, "Another"));
    await edit.apply(await edit.planDelete(ID));
    edit.close();
  });
});

describe("a file that is none", () => {
  it("is refused with a reason", async () => {
    const at = (name: string): string => join(home.data, "..", name);
    mkdirSync(at("folder.tar.gz"));
    symlinkSync("circle.tar.gz", at("circle.tar.gz"));
    writeFileSync(at("empty.tar.gz"), "");
    for (const name of ["folder", "circle", "empty", "missing", "n".repeat(300)]) {
      const edit = home.edit();
      await expect(edit.planImport(at(`${name}.tar.gz`), {})).rejects.toBeInstanceOf(AppError);
      edit.close();
      const migrating = createMigrateCore({
        catalog: home.catalog,
        home: home.data,
        now: () => NOW,
        folder: home.data,
        guard: hashTail(home.catalog, home.data),
      });
      const request = { from: at(`${name}.tar.gz`), to: at("back"), madeBy: "test" };
      await expect(migrating.plan(request)).rejects.toBeInstanceOf(AppError);
      migrating.close();
    }
  });
});

it.each(["id: %YAML", "a: &x [*x, *y]", "- no\n- fields", "[".repeat(20_000)])(
  "takes in a session whose workspace.yaml is no YAML, under another id and name: %.20s",
  async (text) => {
    const content = { ...CONTENT, "workspace.yaml": text };
    const edit = home.edit();
    const path = write(manifestOf(content), content);
    const plan = await edit.planImport(path, { newId: true, name: "Another" });
    await edit.apply(plan);
    const written = readFileSync(join(folder(plan.session.id), "workspace.yaml"), "utf8");
    expect(written).toMatch(new RegExp(`^id: "?${plan.session.id}"?$`, "m"));
    expect(written).toContain("name: Another\n");
    await edit.apply(await edit.planDelete(plan.session.id));
    edit.close();
  },
);

describe("a manifest", () => {
  const refusal = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "taken",
      (error) => {
        if (!(error instanceof AppError)) throw error;
        return error.code;
      },
    );
  const tryIt = async (manifest: unknown, content: Content = CONTENT): Promise<string> => {
    const edit = home.edit();
    const migrating = createMigrateCore({
      catalog: home.catalog,
      home: home.data,
      now: () => NOW,
      folder: join(home.copilot, ".."),
      guard: hashTail(home.catalog, home.data),
    });
    try {
      const path = write(manifest, content);
      const back = refusal(
        migrating
          .plan({ from: path, to: "back", madeBy: "test" })
          .then((migration) => migrating.apply(migration)),
      );
      await back;
      return await refusal(edit.planImport(path, {}).then((plan) => edit.apply(plan)));
    } finally {
      edit.close();
      migrating.close();
      for (const name of readdirSync(join(home.copilot, "session-state")))
        if (name !== KEPT) rmSync(folder(name), { recursive: true, force: true });
      rmSync(join(home.copilot, "..", "back"), { recursive: true, force: true });
    }
  };

  it.each([
    ["a source that is not known", "not-supported", {}, { source: "someone-else" }],
    ["a source called constructor", "not-supported", {}, { source: "constructor" }],
    ["a source called __proto__", "bundle-unsafe", {}, { source: "__proto__" }],
    ["no list of entries", "bundle-damaged", {}, { entries: null }],
    ["two homes", "bundle-damaged", { kind: "home", parts: [] }, {}],
    ["no parts", "bundle-damaged", { parts: [] }, {}],
    ["a version that is no number", "bundle-damaged", { version: "1" }, {}],
  ])("is refused: %s", async (_, code, more, part) => {
    expect(await tryIt(manifestOf(CONTENT, more, part))).toBe(code);
  });

  it("is refused: sizes, times and names without end; the same session or file twice", async () => {
    const [part] = manifestOf(CONTENT).parts;
    const entries = (part?.entries ?? []) as readonly { path: string }[];
    const but = (change: object) => [{ ...entries[1], ...change }, ...entries.slice(2)];
    for (const [code, more] of [
      ["bundle-damaged", { size: 1e300 }],
      ["bundle-damaged", { size: 2 ** 60 }],
      ["bundle-damaged", { size: 0.5 }],
      ["bundle-damaged", { mtimeMs: 1e300 }],
      ["bundle-unsafe", { path: `${"a/".repeat(5000)}b` }],
    ] as const)
      expect([code, await tryIt(manifestOf(CONTENT, {}, { entries: but(more) }))]).toEqual([code, code]);
    expect(await tryIt(manifestOf(CONTENT, { parts: [part, { ...part, folder: "other" }] }))).toBe(
      "bundle-unsafe",
    );
    const inside = {
      ...part,
      id: "other",
      folder: "part/files",
      entries: [{ ...entries[2], path: "note.md" }],
    };
    expect(await tryIt(manifestOf(CONTENT, { parts: [part, inside] }))).toBe("bundle-unsafe");
  });

  it("is taken in or refused with a reason, whatever it holds", async () => {
    const deep = (depth: number): unknown => {
      let value: unknown = [];
      for (let at = 0; at < depth; at++) value = at % 2 ? [value] : { a: value };
      return value;
    };
    const strange = fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      0.5,
      1e308,
      2 ** 53,
      "",
      "x",
      "..",
      "__proto__",
      "constructor",
      "toString",
      "\u0000",
      "ü".repeat(300),
      [],
      {},
      [null],
      { length: 3 },
      [[[]]],
      deep(2000),
      "home",
      "sessions",
      "folder",
      "link",
      JSON.parse('{"__proto__":{"a":1},"constructor":{}}'),
    );
    const homeContent = Object.fromEntries(
      Object.entries(CONTENT).map(([path, text]) => [`session-state/${ID}/${path}`, text]),
    );
    const mutated = fc.record({
      isHome: fc.boolean(),
      changes: fc.array(
        fc.record({
          where: fc.array(fc.nat(40), { minLength: 1, maxLength: 5 }),
          value: strange,
          remove: fc.boolean(),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    });
    const outcomes: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(mutated, async ({ isHome, changes }) => {
        const content = isHome ? homeContent : CONTENT;
        const manifest: unknown = isHome
          ? manifestOf(content, { kind: "home" }, { id: undefined, folder: "home", sessions: 1, rows: {} })
          : manifestOf(content);
        for (const { where, value, remove } of changes) change(manifest, where, value, remove);
        const outcome = await tryIt(manifest, content);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }),
      { numRuns: process.env.RETHREAD_FULL === "1" ? 5000 : 80 },
    );
    expect(outcomes).toMatchObject({ "bundle-damaged": expect.any(Number) });
    expect(existsSync(join(home.copilot, "..", "back"))).toBe(false);
  });
});

/** Replaces or removes what lies at a place of a value, found by numbers that fit any shape. */
function change(value: unknown, where: readonly number[], by: unknown, remove: boolean): void {
  let at = value as Record<string, unknown>;
  for (const [depth, number] of where.entries()) {
    const keys = Object.keys(at);
    const key = keys[number % Math.max(1, keys.length)];
    if (key === undefined) return;
    const next = at[key];
    if (depth < where.length - 1 && typeof next === "object" && next !== null) {
      at = next as Record<string, unknown>;
      continue;
    }
    if (remove) delete at[key];
    else at[key] = by;
    return;
  }
}
