/** Writing instruction files, which belong to no session: to the byte, undone to the byte, and safe from any crash. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planImprove } from "../../src/app/edit/improve.ts";
import { recoverWrites } from "../../src/app/edit/recover.ts";
import type { InstructionChange } from "../../src/chronicle/improve/improve.ts";
import { toHint } from "../../src/model/remedy.ts";
import { localDisk } from "../../src/platform/disk/disk.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { killEverywhere } from "./every-moment.ts";
import { createEditHome, type EditHome } from "./home.ts";
import { NOW } from "./source-homes.ts";

let home: EditHome;
let root: string;
const OLD = "\uFEFF# Shop\r\n\r\nBuild with make. \u{1F6A2}\r\n";
const TEXT = "\r\n## Learned from sessions\r\n\r\n- Use pnpm.\r\n";

beforeEach(() => {
  home = createEditHome();
  root = join(dirname(home.copilot), "shop");
  mkdirSync(root);
});
afterEach(() => home.remove());

const change = (name: string, at: number, text: string, isNew = at === 0): InstructionChange => ({
  path: join(root, name),
  root,
  repository: "acme/shop",
  isNew,
  lines: ["Use pnpm."],
  diff: "",
  at,
  text,
});
const planned = (...changes: InstructionChange[]) => planImprove(localFs, changes, NOW);
const read = (name: string): string | undefined => {
  const path = join(root, name);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
};

it("adds to a file, keeps its mode, and undoes it to the byte", async () => {
  writeFileSync(join(root, "AGENTS.md"), OLD);
  chmodSync(join(root, "AGENTS.md"), 0o664);
  const before = statSync(join(root, "AGENTS.md"));
  const edit = home.edit();
  const plan = await planned(change("AGENTS.md", Buffer.byteLength(OLD), TEXT));
  const { operation } = await edit.apply(plan);
  expect(read("AGENTS.md")).toBe(OLD + TEXT);
  expect(statSync(join(root, "AGENTS.md")).mode).toBe(before.mode);
  expect(await edit.history()).toMatchObject([
    { operation, kind: "improve", title: "AGENTS.md of acme/shop", state: "done", backup: { files: 1 } },
  ]);
  await edit.apply(await edit.planUndo());
  expect(read("AGENTS.md")).toBe(OLD);
  expect(statSync(join(root, "AGENTS.md"))).toMatchObject({ mode: before.mode, mtimeMs: before.mtimeMs });
  // And back again.
  await edit.apply(await edit.planUndo((await edit.history())[0]?.operation));
  expect(read("AGENTS.md")).toBe(OLD + TEXT);
});

it("makes a new file with its folder, and removes both again", async () => {
  const edit = home.edit();
  await edit.apply(
    await planned(change(".github/copilot-instructions.md", 0, "new\n"), change("AGENTS.md", 0, "new\n")),
  );
  expect([read(".github/copilot-instructions.md"), read("AGENTS.md")]).toEqual(["new\n", "new\n"]);
  await edit.apply(await edit.planUndo());
  expect([existsSync(join(root, ".github")), read("AGENTS.md")]).toEqual([false, undefined]);
});

it("inserts in the middle, and leaves bytes that it does not understand", async () => {
  const bytes = Buffer.concat([Buffer.from("a\n"), Buffer.from([0xff, 0x00, 0xfe]), Buffer.from("\nb\n")]);
  writeFileSync(join(root, "AGENTS.md"), bytes);
  await home.edit().apply(await planned(change("AGENTS.md", 2, "new\n", false)));
  expect(readFileSync(join(root, "AGENTS.md"))).toEqual(
    Buffer.concat([bytes.subarray(0, 2), Buffer.from("new\n"), bytes.subarray(2)]),
  );
});

it("writes what a link leads to, and leaves the link", async () => {
  writeFileSync(join(root, "AGENTS.md"), "old\n");
  symlinkSync("AGENTS.md", join(root, "CLAUDE.md"));
  const edit = home.edit();
  await edit.apply(await planned(change("CLAUDE.md", 4, "new\n", false)));
  expect(readlinkSync(join(root, "CLAUDE.md"))).toBe("AGENTS.md");
  expect(read("AGENTS.md")).toBe("old\nnew\n");
  await edit.apply(await edit.planUndo());
  expect(read("AGENTS.md")).toBe("old\n");
});

describe("refuses", () => {
  it("to write when the file was changed since it was shown", async () => {
    writeFileSync(join(root, "AGENTS.md"), "old\n");
    const plan = await planned(change("AGENTS.md", 4, "new\n", false));
    writeFileSync(join(root, "AGENTS.md"), "mine\n");
    await expect(home.edit().apply(plan)).rejects.toMatchObject({ code: "session-changed" });
    expect(read("AGENTS.md")).toBe("mine\n");
  });

  it("to undo when that would lose what somebody wrote since", async () => {
    const edit = home.edit();
    await edit.apply(await planned(change("AGENTS.md", 0, "new\n")));
    writeFileSync(join(root, "AGENTS.md"), "new\nmine\n");
    await expect(edit.planUndo()).rejects.toMatchObject({
      code: "changed-since",
      hint: "Edit the file by hand",
    });
    expect(read("AGENTS.md")).toBe("new\nmine\n");
  });

  it("to be joined with changes of sessions", async () => {
    const edit = home.edit();
    const plan = await planned(change("AGENTS.md", 0, "new\n"));
    await expect(edit.planTogether([plan, plan])).rejects.toMatchObject({ code: "usage" });
  });

  it("to make a session of its backup", async () => {
    writeFileSync(join(root, "AGENTS.md"), "old\n");
    const edit = home.edit();
    await edit.apply(await planned(change("AGENTS.md", 4, "new\n", false)));
    await expect(edit.planBackupCopy()).rejects.toMatchObject({ code: "not-undoable" });
  });
});

it("has no steps where there is nothing to add", async () => {
  expect((await planned()).steps).toEqual([]);
  await expect(home.edit().planImprove({})).resolves.toMatchObject({ kind: "improve", steps: [] });
});

describe("kill -9 leaves it old or new", () => {
  const look = () => [
    read("AGENTS.md"),
    read(".github/copilot-instructions.md"),
    existsSync(join(root, ".github")),
  ];
  const changes = () => [
    change("AGENTS.md", Buffer.byteLength(OLD), TEXT),
    change(".github/copilot-instructions.md", 0, "new\n"),
  ];
  it("when it is written", async () => {
    writeFileSync(join(root, "AGENTS.md"), OLD);
    expect(await killEverywhere(home, { plan: await planned(...changes()), look })).toBeGreaterThan(10);
  }, 120_000);

  it("when it is undone", async () => {
    writeFileSync(join(root, "AGENTS.md"), OLD);
    const edit = home.edit();
    await edit.apply(await planned(...changes()));
    expect(await killEverywhere(home, { plan: await edit.planUndo(), look })).toBeGreaterThan(10);
  }, 120_000);

  it("and the next command says what became of it", async () => {
    writeFileSync(join(root, "AGENTS.md"), OLD);
    const { apply } = await import("../../src/edit/apply/apply.ts");
    const dying = {
      ...localDisk,
      rename: (...paths: [string, string]) => {
        localDisk.rename(...paths);
        throw Object.assign(new Error("killed"), { killed: true });
      },
    };
    const { stagingFolder } = await import("../../src/edit/apply/stage.ts");
    const context = { home: home.data, now: () => NOW, fs: localFs, disk: dying };
    // The journal is left pending, as after a kill: not even taking it back works.
    await apply(context, home.catalog, "0p1", await planned(...changes())).catch(() => undefined);
    expect(existsSync(stagingFolder(home.data))).toBe(true);
    const told: string[] = [];
    await recoverWrites(
      { ...context, disk: localDisk },
      home.catalog,
      (advice) => void told.push(toHint(advice)),
    );
    expect(told).toEqual(['The improvement of "2 instruction files" was interrupted and has been undone']);
    expect(read("AGENTS.md")).toBe(OLD);
  });
});
