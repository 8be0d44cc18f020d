/** Sessions of Claude Code that follow one folder together, and are taken back together. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { folderName } from "../../src/sources/claude-code/locate.ts";
import { type ClaudeEditing, openClaudeEditing } from "../real/claude-editing.ts";
import { writeTranscript } from "../real/claude-rows.ts";
import { lookAtUser as lookAtAll } from "./vscode-home.ts";

const IDS = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;
const OTHER = "33333333-3333-4333-8333-333333333333";
let base: string;
let root: string;
let edit: ClaudeEditing["edit"];
const projectOf = (folder: string): string => join(root, "projects", folderName(folder));

function write(id: string, cwd: string): void {
  const transcript = writeTranscript();
  transcript.prompt("one", { cwd, sessionId: id });
  transcript.answer("Answer.", { cwd, sessionId: id });
  mkdirSync(join(projectOf(cwd), id, "tool-results"), { recursive: true });
  writeFileSync(join(projectOf(cwd), `${id}.jsonl`), transcript.text());
  writeFileSync(join(projectOf(cwd), id, "tool-results", "b1.txt"), "long\n");
}

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "rethread-claude-move-")));
  root = join(base, "config");
  for (const id of IDS) write(id, "/srv/shop");
  ({ edit } = openClaudeEditing({ root, workspace: join(base, "shop"), remove: () => undefined }));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

it("move as one: the folder that both come to is made once, and goes again with both", async () => {
  const before = lookAtAll(root);
  const plan = await edit.planMove({ from: "/srv", to: "/code", text: false });
  const [placed] = plan.steps;
  expect([placed?.does, placed?.path, placed?.sessions]).toEqual(["place", projectOf("/code/shop"), [0, 1]]);
  const { operation } = await edit.apply(plan);
  expect(readdirSync(projectOf("/code/shop")).sort()).toEqual(IDS.flatMap((id) => [id, `${id}.jsonl`]));
  expect(readdirSync(projectOf("/srv/shop"))).toEqual([]);
  for (const id of IDS)
    expect(readFileSync(join(projectOf("/code/shop"), `${id}.jsonl`), "utf8")).toContain(
      '"cwd":"/code/shop"',
    );
  await edit.apply(await edit.planUndo(operation));
  expect(lookAtAll(root)).toEqual(before);
});

it("are taken back from a folder that the program has put something into since", async () => {
  const { operation } = await edit.apply(
    await edit.planMove({ from: "/srv/shop", to: "/code", text: false }),
  );
  write(OTHER, "/code");
  await edit.apply(await edit.planUndo(operation));
  expect(readdirSync(projectOf("/code")).sort()).toEqual([OTHER, `${OTHER}.jsonl`]);
  expect(readdirSync(projectOf("/srv/shop")).sort()).toEqual(IDS.flatMap((id) => [id, `${id}.jsonl`]));
});

it("stay where they were moved to when one of them was continued there", async () => {
  const { operation } = await edit.apply(
    await edit.planMove({ from: "/srv/shop", to: "/code", text: false }),
  );
  const path = join(projectOf("/code"), `${IDS[0]}.jsonl`);
  writeFileSync(path, `${readFileSync(path, "utf8")}{"type":"mode"}\n`);
  await expect(edit.planUndo(operation)).rejects.toMatchObject({ code: "changed-since" });
  expect(existsSync(dirname(path))).toBe(true);
});
