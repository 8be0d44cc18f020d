/** Files of the workspace that go back with a rewind, told from the disk. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BACKUPS, createEditHome, type EditHome, ID, lookAtAll } from "../../../../../test/edit/home.ts";
import { OTHER_DISK } from "../../../../../test/other-disk.ts";

let home: EditHome;
let work: string;
beforeEach(() => {
  home = createEditHome();
  work = join(dirname(home.copilot), "shop");
  mkdirSync(work);
  aboutFolder(work);
});
afterEach(() => home.remove());

/** Both of them say which folder it is about. */
function aboutFolder(folder: string): void {
  for (const name of ["workspace.yaml", "events.jsonl"]) {
    const text = readFileSync(home.file(name), "utf8");
    writeFileSync(home.file(name), text.replace(/(cwd"?: ?"?)[^"\n]*/, `$1${folder}`));
  }
}

const at = (...names: string[]): string => join(work, ...names);
const put = (name: string, text: string, mode = 0o644): void => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  chmodSync(at(name), mode);
};
const sha = (text: string): string => createHash("sha256").update(text).digest("hex");

/** As the program records it: what was there is kept, of what came is only noted what it was. */
type Image = { kind: string; [name: string]: unknown };
const ABSENT: Image = { kind: "absent" };
function was(text: string, path: string, mode = 0o100644): Image {
  writeFileSync(home.file("rewind-file-snapshots", "backups", sha(text)), text);
  return { kind: "content", contentHash: sha(text), backupFile: sha(text), mode, resolvedPath: at(path) };
}
const became = (text: string, path: string): Image => ({
  kind: "content",
  contentHash: sha(text),
  resolvedPath: at(path),
});

interface Change {
  readonly before: Image;
  readonly after: Image;
}

/** The prompts of the home's session that begin its three turns. */
const PROMPTS = [2, 4, 8].map((number) => `22222222-0000-4000-8000-${String(number).padStart(12, "0")}`);

function record(...turns: Record<string, Change>[]): void {
  const snapshots = turns.map((files, turn) => ({
    snapshotId: `s${turn}`,
    eventId: PROMPTS[turn],
    files: Object.fromEntries(
      Object.entries(files).map(([name, { before, after }]) => [
        sha(at(name)).slice(0, 32),
        { path: at(name), preimage: before, postimage: after, linesAdded: 2, linesRemoved: 1 },
      ]),
    ),
  }));
  for (const each of BACKUPS) rmSync(home.file("rewind-file-snapshots", "backups", each), { force: true });
  writeFileSync(
    home.file("rewind-file-snapshots", "index.json"),
    JSON.stringify({ schema: 1, snapshots }, undefined, 2),
  );
}

const rewind = async (to: number, outside = false) => {
  const edit = home.edit();
  return edit.apply(await edit.planRewind(ID, to, { files: true, outside }));
};
const look = (name: string): string =>
  existsSync(at(name))
    ? `${readFileSync(at(name), "utf8")} ${(statSync(at(name)).mode & 0o777).toString(8)}`
    : "gone";

describe("a rewind with files", () => {
  it("takes each file back to what it was before the first turn that goes", async () => {
    put("changed", "3");
    put("run.sh", "new", 0o600);
    put("new/made", "made");
    record(
      { changed: { before: was("0", "changed"), after: became("1", "changed") } },
      {
        changed: { before: was("1", "changed"), after: became("2", "changed") },
        "run.sh": { before: was("old", "run.sh", 0o100755), after: became("new", "run.sh") },
        "dir/deep/lost": { before: was("lost", "dir/deep/lost"), after: ABSENT },
        "dir/also": { before: was("also", "dir/also"), after: ABSENT },
        passing: { before: ABSENT, after: became("passing", "passing") },
      },
      {
        changed: { before: was("2", "changed"), after: became("3", "changed") },
        "new/made": { before: ABSENT, after: became("made", "new/made") },
        passing: { before: was("passing", "passing"), after: ABSENT },
      },
    );
    const before = lookAtAll(dirname(home.copilot));
    const { plan } = await rewind(0);
    expect(["changed", "run.sh", "new/made", "dir/deep/lost", "dir/also", "passing"].map(look)).toEqual([
      "1 644",
      "old 755",
      "gone",
      "lost 644",
      "also 644",
      "gone",
    ]);
    // A folder that is empty now stays, as after the program's own rewind.
    expect(readdirSync(work).sort()).toEqual(["changed", "dir", "new", "run.sh"]);
    expect(plan.files).toEqual([
      { path: at("changed"), change: "modified", becomes: "restored", linesAdded: 4, linesRemoved: 2 },
      { path: at("dir/also"), change: "deleted", becomes: "restored", linesAdded: 2, linesRemoved: 1 },
      { path: at("dir/deep/lost"), change: "deleted", becomes: "restored", linesAdded: 2, linesRemoved: 1 },
      { path: at("new/made"), change: "created", becomes: "removed", linesAdded: 2, linesRemoved: 1 },
      { path: at("passing"), change: "created", becomes: "unchanged", linesAdded: 4, linesRemoved: 2 },
      { path: at("run.sh"), change: "modified", becomes: "restored", linesAdded: 2, linesRemoved: 1 },
    ]);
    // Only what led to turns that are still there is kept.
    const snapshots = home.file("rewind-file-snapshots");
    const { snapshots: kept } = JSON.parse(readFileSync(join(snapshots, "index.json"), "utf8"));
    expect(kept.map(({ eventId }: { eventId: string }) => eventId)).toEqual(PROMPTS.slice(0, 1));
    expect(readdirSync(join(snapshots, "backups"))).toEqual([sha("0")]);

    await home.edit().apply(await home.edit().planUndo());
    expect(lookAtAll(dirname(home.copilot))).toEqual(before);
  });

  it("writes where a link led, and brings back links that were taken away or replaced", async () => {
    put("real", "new");
    symlinkSync("real", at("link"));
    put("once-a-link", "file");
    symlinkSync("real", at("once-a-file"));
    const link = (content?: Image): Image => ({ kind: "symlink", target: "real", resolved: content });
    record(
      {},
      {
        link: { before: link(was("old", "real")), after: link(became("new", "real")) },
        "once-a-link": { before: link(), after: became("file", "once-a-link") },
        "once-a-file": { before: was("file", "once-a-file"), after: link() },
      },
    );
    await rewind(0);
    expect(lookAtAll(work)).toMatchObject({ link: "link real", "once-a-link": "link real" });
    expect(["real", "once-a-file"].map(look)).toEqual(["old 644", "file 644"]);
  });

  it("refuses, naming them, while files are not what the turns left", async () => {
    put("mine", "mine");
    put("theirs", "new");
    put("back", "again");
    record(
      {},
      {
        mine: { before: was("old", "mine"), after: became("new", "mine") },
        theirs: { before: was("old", "theirs"), after: became("new", "theirs") },
        back: { before: was("x", "back"), after: ABSENT },
      },
    );
    const before = lookAtAll(dirname(home.copilot));
    await expect(rewind(0)).rejects.toMatchObject({
      code: "changed-since",
      message: "back, mine changed since these turns, and restoring would lose the changes",
      hint: expect.stringContaining(`rethread rewind copilot-cli:${ID} --to 0`),
    });
    expect(lookAtAll(dirname(home.copilot))).toEqual(before);
  });

  it("takes what is already back as it is", async () => {
    put("a", "old");
    record({}, { a: { before: was("old", "a"), after: became("new", "a") } });
    const { plan } = await rewind(0);
    expect(plan.files).toMatchObject([{ becomes: "unchanged" }]);
    expect(look("a")).toBe("old 644");
  });

  it("leaves what was never recorded, and says so", async () => {
    put("big", "big");
    const skipped: Image = { kind: "skipped", reason: "too-large" };
    record({}, { big: { before: skipped, after: became("big", "big") } });
    const { plan } = await rewind(0);
    expect(plan.losses.at(-1)).toBe("big, of which no earlier state was recorded (too large)");
    expect(look("big")).toBe("big 644");
  });

  it("refuses when what a file was is missing or damaged", async () => {
    put("a", "new");
    for (const spoil of [
      () => rmSync(home.file("rewind-file-snapshots", "backups", sha("old"))),
      () => writeFileSync(home.file("rewind-file-snapshots", "backups", sha("old")), "OLD"),
    ]) {
      record({}, { a: { before: was("old", "a"), after: became("new", "a") } });
      spoil();
      await expect(rewind(0)).rejects.toMatchObject({
        code: "unreadable",
        message: "Copilot CLI's copy of a is missing or damaged, so it cannot be restored",
      });
    }
    expect(look("a")).toBe("new 644");
  });

  it("names files outside the workspace by their whole path", async () => {
    const path = join(work, "..", "outside");
    writeFileSync(path, "mine");
    record({}, { "../outside": { before: was("old", "../outside"), after: became("new", "../outside") } });
    await expect(rewind(0)).rejects.toMatchObject({ message: expect.stringContaining(`${path} changed`) });
  });

  it("changes no file outside the workspace unless asked to, and shows which", async () => {
    const path = join(work, "..", "outside");
    writeFileSync(path, "new");
    put("inside", "new");
    record(
      {},
      {
        "../outside": { before: was("old", "../outside"), after: became("new", "../outside") },
        inside: { before: was("old", "inside"), after: became("new", "inside") },
      },
    );
    const before = lookAtAll(dirname(home.copilot));
    await expect(rewind(0)).rejects.toMatchObject({
      code: "outside-workspace",
      message: `These turns changed files outside the session's folder, ${work}: ${path}`,
      hint: expect.stringContaining("--outside"),
    });
    expect(lookAtAll(dirname(home.copilot))).toEqual(before);
    const { plan } = await rewind(0, true);
    expect(plan.files).toMatchObject([{ path, isOutside: true }, { path: at("inside") }]);
    expect(plan.files?.[1]).not.toHaveProperty("isOutside");
    expect([readFileSync(path, "utf8"), look("inside")]).toEqual(["old", "old 644"]);
    await home.edit().apply(await home.edit().planUndo());
    expect(lookAtAll(dirname(home.copilot))).toEqual(before);
  });

  it("changes no file of a session that claims to be about everything", async () => {
    aboutFolder("/");
    put("a", "new");
    record({}, { a: { before: was("old", "a"), after: became("new", "a") } });
    await expect(rewind(0)).rejects.toMatchObject({ code: "outside-workspace" });
    expect(look("a")).toBe("new 644");
  });

  it("writes to no other file than the one that it names and looked at", async () => {
    const victim = join(work, "..", "victim");
    for (const [text, after] of [
      ["mine", became("new", "../victim")],
      ["new", became("new", "../victim")],
      ["mine", ABSENT],
    ] as const) {
      writeFileSync(victim, text);
      rmSync(at("a"), { force: true });
      if (after !== ABSENT) put("a", "new");
      record({}, { a: { before: was("old", "../victim"), after } });
      await expect(rewind(0, true)).rejects.toMatchObject({
        code: "changed-since",
        message: expect.stringContaining("a: symbolic links now lead to other files than in these turns"),
      });
      expect(readFileSync(victim, "utf8")).toBe(text);
    }
  });

  it("goes by where links lead now: out of the workspace only when asked to, and never to another file", async () => {
    const elsewhere = join(work, "..", "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, "a"), "new");
    symlinkSync(elsewhere, at("way"));
    const changed = { before: was("old", "../elsewhere/a"), after: became("new", "../elsewhere/a") };
    record({}, { "way/a": changed });
    await expect(rewind(0)).rejects.toMatchObject({
      code: "outside-workspace",
      message: expect.stringContaining(`: ${join(elsewhere, "a")}`),
    });
    expect((await rewind(0, true)).plan.files).toMatchObject([
      { path: at("way/a"), place: join(elsewhere, "a"), isOutside: true },
    ]);
    expect(readFileSync(join(elsewhere, "a"), "utf8")).toBe("old");
    await home.edit().apply(await home.edit().planUndo());
    // The same name leads to another file by now, which happens to say the same.
    put("other/a", "new");
    rmSync(at("way"));
    symlinkSync("other", at("way"));
    await expect(rewind(0, true)).rejects.toMatchObject({ code: "changed-since" });
    expect(look("other/a")).toBe("new 644");
  });

  it("takes back what agents keep in the session's own folder, and in a copy that of the copy", async () => {
    const own = home.file("files", "art");
    writeFileSync(own, "new");
    const image = (text: string) => ({ ...was(text, "x"), resolvedPath: own });
    record({}, { art: { before: image("old"), after: image("new") } });
    const index = home.file("rewind-file-snapshots", "index.json");
    writeFileSync(index, readFileSync(index, "utf8").replaceAll(at("art"), own));
    const edit = home.edit();
    const { id } = (await edit.apply(await edit.planClone(ID, {}))).plan.session;
    await edit.apply(await edit.planRewind(id, 0, { files: true }));
    expect([own, home.file("..", id, "files", "art")].map((path) => readFileSync(path, "utf8"))).toEqual([
      "new",
      "old",
    ]);
    await rewind(0);
    expect(readFileSync(own, "utf8")).toBe("old");
  });

  it("is refused for states of a newer program, and passes over paths that are none", async () => {
    record({}, {});
    const index = home.file("rewind-file-snapshots", "index.json");
    const text = readFileSync(index, "utf8");
    writeFileSync(index, text.replace('"schema": 1', '"schema": 2'));
    await expect(rewind(0)).rejects.toMatchObject({
      code: "format-newer",
      message: expect.stringContaining("newer Copilot CLI"),
    });
    const files = { nul: { path: at("a\0b"), preimage: was("old", "a"), postimage: ABSENT } };
    const [first, second] = JSON.parse(text).snapshots;
    writeFileSync(index, JSON.stringify({ schema: 1, snapshots: [first, { ...second, files }] }));
    const yaml = home.file("workspace.yaml");
    writeFileSync(yaml, readFileSync(yaml, "utf8").replace(/^cwd: .*/m, 'cwd: "/a\\0b"'));
    expect((await rewind(0)).plan.files).toEqual([]);
  });

  it("refuses what is no file, or out of reach, without waiting for it", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    const names = ["pipe", "x".repeat(300), "pipe/below"];
    for (const name of names) {
      record({}, { [name]: { before: was("old", name), after: became("new", name) } });
      await expect(rewind(0)).rejects.toMatchObject({ code: "changed-since" });
    }
  });

  it("takes no path for a file that is not whole", async () => {
    record({}, {});
    const index = home.file("rewind-file-snapshots", "index.json");
    const snapshot = JSON.parse(readFileSync(index, "utf8")).snapshots[1];
    const file = { path: "package.json", preimage: was("old", "a"), postimage: ABSENT };
    const elsewhere = {
      ...file,
      path: at("a"),
      preimage: { ...file.preimage, resolvedPath: "package.json" },
    };
    writeFileSync(
      index,
      JSON.stringify({ schema: 1, snapshots: [{ ...snapshot, files: { file, elsewhere } }] }),
    );
    expect((await rewind(0)).plan.files).toMatchObject([{ path: at("a"), becomes: "unchanged" }]);
  });

  it("is refused where no file states were recorded", async () => {
    rmSync(home.file("rewind-file-snapshots"), { recursive: true });
    await expect(rewind(0)).rejects.toMatchObject({ code: "not-supported" });
    mkdirSync(home.file("rewind-file-snapshots"));
    // Recorded, but nothing was ever changed.
    writeFileSync(home.file("rewind-file-snapshots", "tracking.json"), '{"schema":1,"tracking":true}');
    expect((await rewind(0)).plan.files).toEqual([]);
  });

  it.each([
    ["no", undefined],
    ["a broken", "cwd: [unclosed\n  : :"],
  ])("needs %s workspace.yaml", async (_, text) => {
    rmSync(home.file("workspace.yaml"));
    if (text !== undefined) writeFileSync(home.file("workspace.yaml"), text);
    put("a", "new");
    record({}, { a: { before: was("old", "a"), after: became("new", "a") } });
    await rewind(0);
    expect(look("a")).toBe("old 644");
  });
});

describe.runIf(OTHER_DISK)("a workspace on another disk", () => {
  beforeEach(() => {
    work = mkdtempSync(join(OTHER_DISK, "rethread-shop-"));
    aboutFolder(work);
  });
  afterEach(() => rmSync(work, { recursive: true, force: true }));

  it("has its files taken back and undone, and nothing else is left there", async () => {
    put("a", "new");
    put("made", "made");
    record(
      {},
      {
        a: { before: was("old", "a"), after: became("new", "a") },
        made: { before: ABSENT, after: became("made", "made") },
        "dir/lost": { before: was("lost", "dir/lost"), after: ABSENT },
      },
    );
    const before = lookAtAll(work);
    await rewind(0);
    expect(readdirSync(work, { recursive: true }).sort()).toEqual(["a", "dir", "dir/lost"]);
    expect(look("a")).toBe("old 644");
    await home.edit().apply(await home.edit().planUndo());
    expect(lookAtAll(work)).toEqual(before);
  });
});

describe("a rewind without files", () => {
  it("tells which files stay as the dropped turns left them", async () => {
    put("a", "new");
    record({}, { a: { before: was("old", "a"), after: became("new", "a") } });
    const edit = home.edit();
    const { plan } = await edit.apply(await edit.planRewind(ID, 0));
    expect(plan.files).toEqual([
      { path: at("a"), change: "modified", becomes: "unchanged", linesAdded: 2, linesRemoved: 1 },
    ]);
    expect(look("a")).toBe("new 644");
    expect(readdirSync(home.file("rewind-file-snapshots", "backups"))).toEqual([sha("old")]);
  });
});
