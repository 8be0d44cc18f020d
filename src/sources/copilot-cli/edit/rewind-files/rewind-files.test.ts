/** Files of the workspace that go back with a rewind, told from the disk. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type EditHome, ID, lookAtAll } from "../../../../../test/edit/home.ts";
import {
  ABSENT,
  createShop,
  type Image,
  PROMPTS,
  type Shop,
  sha,
} from "../../../../../test/edit/recorded-files.ts";
import { OTHER_DISK } from "../../../../../test/other-disk.ts";
import { fileLines } from "../../../../cli/print/changes/workspace-files.ts";
import { toPlanJson } from "../../../../present/json/plan.ts";
import { createStyle } from "../../../../present/text/style.ts";

let shop: Shop;
let home: EditHome;
beforeEach(() => {
  shop = createShop();
  home = shop.home;
});
afterEach(() => shop.remove());

describe("a rewind with files", () => {
  it("takes each file back to what it was before the first turn that goes", async () => {
    shop.put("changed", "3");
    shop.put("run.sh", "new", 0o600);
    shop.put("new/made", "made");
    shop.record(
      { changed: { before: shop.was("0", "changed"), after: shop.became("1", "changed") } },
      {
        changed: { before: shop.was("1", "changed"), after: shop.became("2", "changed") },
        "run.sh": { before: shop.was("old", "run.sh", 0o100755), after: shop.became("new", "run.sh") },
        "dir/deep/lost": { before: shop.was("lost", "dir/deep/lost"), after: ABSENT },
        "dir/also": { before: shop.was("also", "dir/also"), after: ABSENT },
        passing: { before: ABSENT, after: shop.became("passing", "passing") },
      },
      {
        changed: { before: shop.was("2", "changed"), after: shop.became("3", "changed") },
        "new/made": { before: ABSENT, after: shop.became("made", "new/made") },
        passing: { before: shop.was("passing", "passing"), after: ABSENT },
      },
    );
    const before = lookAtAll(dirname(home.copilot));
    const { plan } = await shop.rewind(0);
    expect(["changed", "run.sh", "new/made", "dir/deep/lost", "dir/also", "passing"].map(shop.look)).toEqual([
      "1 644",
      "old 755",
      "gone",
      "lost 644",
      "also 644",
      "gone",
    ]);
    // A folder that is empty now stays, as after the program's own rewind.
    expect(readdirSync(shop.work).sort()).toEqual(["changed", "dir", "new", "run.sh"]);
    expect(plan.files).toEqual([
      { path: shop.at("changed"), change: "modified", becomes: "restored", linesAdded: 4, linesRemoved: 2 },
      { path: shop.at("dir/also"), change: "deleted", becomes: "restored", linesAdded: 2, linesRemoved: 1 },
      {
        path: shop.at("dir/deep/lost"),
        change: "deleted",
        becomes: "restored",
        linesAdded: 2,
        linesRemoved: 1,
      },
      { path: shop.at("new/made"), change: "created", becomes: "removed", linesAdded: 2, linesRemoved: 1 },
      { path: shop.at("passing"), change: "created", becomes: "unchanged", linesAdded: 4, linesRemoved: 2 },
      { path: shop.at("run.sh"), change: "modified", becomes: "restored", linesAdded: 2, linesRemoved: 1 },
    ]);
    // Only what led to turns that are still there is kept.
    const snapshots = home.file("rewind-file-snapshots");
    const { snapshots: kept } = JSON.parse(readFileSync(join(snapshots, "index.json"), "utf8"));
    expect(kept.map(({ eventId }: { eventId: string }) => eventId)).toEqual(PROMPTS.slice(0, 1));
    expect(readdirSync(join(snapshots, "backups"))).toEqual([sha("0")]);

    await home.edit().apply(await home.edit().planUndo());
    expect(lookAtAll(dirname(home.copilot))).toEqual(before);
  });

  it("restores them also when the turns went before without their files", async () => {
    shop.put("a", "3");
    shop.put("made", "made");
    shop.record(
      { a: { before: shop.was("0", "a"), after: shop.became("1", "a") } },
      { a: { before: shop.was("1", "a"), after: shop.became("2", "a") } },
      {
        a: { before: shop.was("2", "a"), after: shop.became("3", "a") },
        made: { before: ABSENT, after: shop.became("made", "made") },
      },
    );
    await shop.rewind(1, { files: false });
    expect(["a", "made"].map(shop.look)).toEqual(["3 644", "made 644"]);
    const rewound = lookAtAll(dirname(home.copilot));
    const { plan } = await shop.rewind(1);
    expect(plan.files).toMatchObject([{ becomes: "restored" }, { becomes: "removed" }]);
    expect(plan.removed).toEqual({ events: 0 });
    expect(["a", "made"].map(shop.look)).toEqual(["2 644", "gone"]);
    await home.edit().apply(await home.edit().planUndo());
    expect(lookAtAll(dirname(home.copilot))).toEqual(rewound);

    // Further back: what went before and what goes now are one story.
    await shop.rewind(0);
    expect(["a", "made"].map(shop.look)).toEqual(["1 644", "gone"]);
    const again = await home.edit().planRewind(ID, 0, { files: true });
    expect([again.steps, again.files]).toEqual([[], []]);
  });

  it("leaves the states of prompts alone that are older than all that the log has", async () => {
    shop.put("a", "new");
    shop.record({ a: { before: shop.was("old", "a"), after: shop.became("new", "a") } });
    const index = home.file("rewind-file-snapshots", "index.json");
    const text = readFileSync(index, "utf8").replace(
      PROMPTS[0] ?? "",
      "22222222-0000-4000-8000-00000000ffff",
    );
    for (const timestamp of ['"2020-01-01T00:00:00.000Z"', "7"]) {
      writeFileSync(index, text.replace(/"timestamp": [^,]*/, `"timestamp": ${timestamp}`));
      expect(await home.edit().planRewind(ID, 2, { files: true })).toMatchObject({ steps: [], files: [] });
    }
  });

  describe("of which files are not what the turns left", () => {
    beforeEach(() => {
      shop.put("mine", "mine");
      shop.put("theirs", "new");
      shop.put("back", "again");
      shop.record(
        {},
        {
          mine: { before: shop.was("old", "mine"), after: shop.became("new", "mine") },
          theirs: { before: shop.was("old", "theirs"), after: shop.became("new", "theirs") },
          back: { before: shop.was("x", "back"), after: ABSENT },
        },
      );
    });

    it("leaves those as they are, and says which", async () => {
      const before = lookAtAll(dirname(home.copilot));
      const { plan } = await shop.rewind(0);
      expect(plan.files).toMatchObject([
        { path: shop.at("back"), becomes: "unchanged", skipped: "user-modified" },
        { path: shop.at("mine"), becomes: "unchanged", skipped: "user-modified" },
        { path: shop.at("theirs"), becomes: "restored" },
      ]);
      expect(toPlanJson(plan, { demo: undefined })).toMatchObject({
        skippedFiles: [
          { path: shop.at("back"), reason: "user-modified" },
          { path: shop.at("mine"), reason: "user-modified" },
        ],
      });
      const page = { columns: 80, style: createStyle(false) };
      expect(fileLines(plan, page).map((line) => line.trim().replace(/ {2,}.*\/shop\//, " "))).toEqual([
        expect.stringMatching(/^restore theirs +\+1 -2 lines$/),
        expect.stringMatching(/^skip back +changed since$/),
        expect.stringMatching(/^skip mine +changed since$/),
      ]);
      expect(["mine", "theirs", "back"].map(shop.look)).toEqual(["mine 644", "old 644", "again 644"]);
      await home.edit().apply(await home.edit().planUndo());
      expect(lookAtAll(dirname(home.copilot))).toEqual(before);
    });

    it("is refused as a whole, naming them, when it is strict", async () => {
      const before = lookAtAll(dirname(home.copilot));
      await expect(shop.rewind(0, { strict: true })).rejects.toMatchObject({
        code: "changed-since",
        message: "back, mine changed since these turns, and restoring would lose the changes",
        hint: expect.stringContaining(`rethread rewind copilot-cli:${ID} --to 0`),
      });
      expect(lookAtAll(dirname(home.copilot))).toEqual(before);
    });
  });

  it("takes what is already back as it is", async () => {
    shop.put("a", "old");
    shop.record({}, { a: { before: shop.was("old", "a"), after: shop.became("new", "a") } });
    const { plan } = await shop.rewind(0);
    expect(plan.files).toMatchObject([{ becomes: "unchanged" }]);
    expect(shop.look("a")).toBe("old 644");
  });

  it("leaves what was never recorded, and says so", async () => {
    shop.put("big", "big");
    const skipped: Image = { kind: "skipped", reason: "too-large" };
    shop.record({}, { big: { before: skipped, after: shop.became("big", "big") } });
    const { plan } = await shop.rewind(0);
    expect(plan.files).toMatchObject([{ skipped: "skipped-capture" }]);
    expect(plan.losses.at(-1)).toBe("big, of which no earlier state was recorded (too large)");
    expect(shop.look("big")).toBe("big 644");
  });

  it("refuses when what a file was is missing or damaged", async () => {
    shop.put("a", "new");
    for (const spoil of [
      () => rmSync(home.file("rewind-file-snapshots", "backups", sha("old"))),
      () => writeFileSync(home.file("rewind-file-snapshots", "backups", sha("old")), "OLD"),
    ]) {
      shop.record({}, { a: { before: shop.was("old", "a"), after: shop.became("new", "a") } });
      spoil();
      await expect(shop.rewind(0)).rejects.toMatchObject({
        code: "unreadable",
        message: "Copilot CLI's copy of a is missing or damaged, so it cannot be restored",
      });
    }
    expect(shop.look("a")).toBe("new 644");
  });

  it("is refused for states of a newer program, and passes over paths that are none", async () => {
    shop.record({}, {});
    const index = home.file("rewind-file-snapshots", "index.json");
    const text = readFileSync(index, "utf8");
    writeFileSync(index, text.replace('"schema": 1', '"schema": 2'));
    await expect(shop.rewind(0)).rejects.toMatchObject({
      code: "format-newer",
      message: expect.stringContaining("newer Copilot CLI"),
    });
    const files = { nul: { path: shop.at("a\0b"), preimage: shop.was("old", "a"), postimage: ABSENT } };
    const [first, second] = JSON.parse(text).snapshots;
    writeFileSync(index, JSON.stringify({ schema: 1, snapshots: [first, { ...second, files }] }));
    const yaml = home.file("workspace.yaml");
    writeFileSync(yaml, readFileSync(yaml, "utf8").replace(/^cwd: .*/m, 'cwd: "/a\\0b"'));
    expect((await shop.rewind(0)).plan.files).toEqual([]);
  });

  it("refuses what is no file, or out of reach, without waiting for it", async () => {
    execFileSync("mkfifo", [shop.at("pipe")]);
    const names = ["pipe", "x".repeat(300), "pipe/below"];
    for (const name of names) {
      shop.record({}, { [name]: { before: shop.was("old", name), after: shop.became("new", name) } });
      await expect(shop.rewind(0, { strict: true })).rejects.toMatchObject({ code: "changed-since" });
    }
    expect((await shop.rewind(0)).plan.files).toMatchObject([{ skipped: "user-modified" }]);
  });

  it("takes no path for a file that is not whole", async () => {
    shop.record({}, {});
    const index = home.file("rewind-file-snapshots", "index.json");
    const snapshot = JSON.parse(readFileSync(index, "utf8")).snapshots[1];
    const file = { path: "package.json", preimage: shop.was("old", "a"), postimage: ABSENT };
    const elsewhere = {
      ...file,
      path: shop.at("a"),
      preimage: { ...file.preimage, resolvedPath: "package.json" },
    };
    writeFileSync(
      index,
      JSON.stringify({ schema: 1, snapshots: [{ ...snapshot, files: { file, elsewhere } }] }),
    );
    expect((await shop.rewind(0)).plan.files).toMatchObject([{ path: shop.at("a"), becomes: "unchanged" }]);
  });

  it("is refused where no file states were recorded", async () => {
    rmSync(home.file("rewind-file-snapshots"), { recursive: true });
    await expect(shop.rewind(0)).rejects.toMatchObject({ code: "not-supported" });
    mkdirSync(home.file("rewind-file-snapshots"));
    // Recorded, but nothing was ever changed.
    writeFileSync(home.file("rewind-file-snapshots", "tracking.json"), '{"schema":1,"tracking":true}');
    expect((await shop.rewind(0)).plan.files).toEqual([]);
  });

  it.each([
    ["no", undefined],
    ["a broken", "cwd: [unclosed\n  : :"],
  ])("needs %s workspace.yaml", async (_, text) => {
    rmSync(home.file("workspace.yaml"));
    if (text !== undefined) writeFileSync(home.file("workspace.yaml"), text);
    shop.put("a", "new");
    shop.record({}, { a: { before: shop.was("old", "a"), after: shop.became("new", "a") } });
    await shop.rewind(0);
    expect(shop.look("a")).toBe("old 644");
  });
});

describe.runIf(OTHER_DISK)("a workspace on another disk", () => {
  beforeEach(() => {
    shop.remove();
    shop = createShop(mkdtempSync(join(OTHER_DISK, "rethread-shop-")));
    home = shop.home;
  });
  afterEach(() => rmSync(shop.work, { recursive: true, force: true }));

  it("has its files taken back and undone, and nothing else is left there", async () => {
    shop.put("a", "new");
    shop.put("made", "made");
    shop.record(
      {},
      {
        a: { before: shop.was("old", "a"), after: shop.became("new", "a") },
        made: { before: ABSENT, after: shop.became("made", "made") },
        "dir/lost": { before: shop.was("lost", "dir/lost"), after: ABSENT },
      },
    );
    const before = lookAtAll(shop.work);
    await shop.rewind(0);
    expect(readdirSync(shop.work, { recursive: true }).sort()).toEqual(["a", "dir", "dir/lost"]);
    expect(shop.look("a")).toBe("old 644");
    await home.edit().apply(await home.edit().planUndo());
    expect(lookAtAll(shop.work)).toEqual(before);
  });
});

describe("a rewind without files", () => {
  it("tells which files stay as the dropped turns left them", async () => {
    shop.put("a", "new");
    shop.record({}, { a: { before: shop.was("old", "a"), after: shop.became("new", "a") } });
    const edit = home.edit();
    const { plan } = await edit.apply(await edit.planRewind(ID, 0));
    expect(plan.files).toEqual([
      { path: shop.at("a"), change: "modified", becomes: "unchanged", linesAdded: 2, linesRemoved: 1 },
    ]);
    expect(shop.look("a")).toBe("new 644");
    expect(readdirSync(home.file("rewind-file-snapshots", "backups"))).toEqual([sha("old")]);
  });
});
