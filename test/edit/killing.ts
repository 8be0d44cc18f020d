/** The writes to Copilot CLI's files that are killed, and what must hold after that. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import { OTHER_DISK } from "../other-disk.ts";
import { bundleOf } from "./bundle.ts";
import { killEverywhere } from "./every-moment.ts";
import { createEditHome, type EditHome, expectAfter, ID, lookAtAll } from "./home.ts";
import { recordFiles } from "./recorded-files.ts";

type MakePlan = (edit: EditCore, home: EditHome) => Promise<EditPlan>;

const OPERATIONS: Readonly<Record<string, MakePlan>> = {
  // Smaller ones and whole ones are put in their place by the same step.
  clone: (edit) => edit.planClone(ID, { dropOldest: { count: 2 }, summarize: true }),
  fork: (edit) => edit.planFork(ID, { at: 1 }),
  rewind: (edit) => edit.planRewind(ID, 0),
  compaction: (edit) => edit.planCompact(ID, { keep: 1 }),
  "compaction at the end": (edit) => edit.planCompact(ID, { append: true }),
  checkpoint: (edit) => edit.planCheckpoint(ID, {}),
  "rewind with files": (edit) => edit.planRewind(ID, 0, { files: true }),
  // As long as the old path, so that no size tells the new log from the old one.
  move: (edit) => edit.planMove({ session: ID, to: "/srv/shops", text: true }),
  rename: (edit) => edit.planRename(ID, "Another: name"),
  delete: (edit) => edit.planDelete(ID),
  rescue: (edit) => edit.planRescue(ID),
  scrub: (edit) => edit.planScrub([ID]),
  import: async (edit, home) => edit.planImport(await bundleOf(home), { newId: true }),
};
export function operationOf(name: string): MakePlan {
  const operation = OPERATIONS[name];
  if (!operation) throw new Error(`there is no operation called ${name}`);
  return operation;
}

const isThorough = process.env.RETHREAD_FULL !== undefined;
/** What is built elsewhere differs by its kinds of steps alone, and these have all of them; so do undos of these. */
const ON_TWO_DISKS = ["delete"];
const UNDONE = ["clone", "rewind with files", "compaction", "delete"];
/** Made of the same steps as a compaction that takes turns away. */
const ALIKE = ["compaction at the end", "checkpoint"];

export interface KillCase {
  readonly name: string;
  readonly disks: string;
  readonly place: string;
}

function casesOf(names: readonly string[]): KillCase[] {
  const elsewhere = OTHER_DISK ? names.filter((name) => isThorough || ON_TWO_DISKS.includes(name)) : [];
  return [
    ...names.map((name) => ({ name, disks: "one disk", place: tmpdir() })),
    ...elsewhere.map((name) => ({ name, disks: "two disks", place: OTHER_DISK })),
  ];
}

const NAMES = Object.keys(OPERATIONS).filter((name) => isThorough || !ALIKE.includes(name));
export const CASES = casesOf(NAMES);
export const UNDO_CASES = casesOf(isThorough ? NAMES : UNDONE);

/** A home in which the operation can be carried out. */
export function homeFor({ name, place }: KillCase): EditHome {
  const home = createEditHome(place);
  if (name === "rewind with files") recordFiles(home);
  if (name === "scrub") for (const file of ["plan.md", "events.jsonl"]) addSecret(home.file(file));
  return home;
}

/** Into the first text that says something. */
function addSecret(path: string): void {
  const key = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  const text = readFileSync(path, "utf8");
  writeFileSync(path, path.endsWith(".md") ? `${text}${key}\n` : text.replace("Answer to one", key));
}

/** Gives back at how many moments it was killed. */
export async function killCopilot(home: EditHome, plan: EditPlan): Promise<number> {
  const before = lookAtAll(home.copilot);
  return killEverywhere(home, {
    plan,
    look: () => lookAtAll(home.copilot),
    after: await expectAfter(before, plan, home),
    check() {
      // Whatever is half done, the program sees sessions and nothing else.
      const names = readdirSync(join(home.copilot, "session-state"));
      expect(names.filter((name) => !/^([0-9a-f-]{36}|\.session-operation-locks)$/.test(name))).toEqual([]);
      expect(readdirSync(home.copilot)).toEqual(["session-state"]);
    },
  });
}
