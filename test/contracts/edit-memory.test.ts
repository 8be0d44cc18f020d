/**
 * Drafts and plans need nothing but the SessionFs they are given. Every home is held in memory, too, under a path that
 * the disk does not have: each change planned there must be the one planned on the disk, byte for byte.
 */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { contentOf } from "../../src/edit/apply/content.ts";
import { createScale } from "../../src/edit/apply/verify.ts";
import { toPlan } from "../../src/edit/plan/plan.ts";
import { AppError } from "../../src/model/errors.ts";
import type { EditPlan, OperationKind, Planned } from "../../src/model/plan.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import { type Draw, draws } from "./edit-draws.ts";
import { createEditHomes, type EditHome, openEditHome } from "./edit-homes.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
const scale = createScale(
  () => 1,
  (messages) => messages.length,
);
let folder: string;
/** As long as the folder on the disk, so that sizes are the same. */
let elsewhere: string;
const homes: { readonly onDisk: EditHome; readonly inMemory: EditHome; readonly memory: SessionFs }[] = [];
/** Each kind of change is planned for every third session, the next kind for others; with RETHREAD_FULL=1 for all. */
const STRIDE = process.env.RETHREAD_FULL === undefined ? 3 : 1;
let kinds = 0;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-edits-")));
  elsewhere = "/in-memory".padEnd(folder.length, "-");
  const onDisk = await createEditHomes(folder, now);
  for (const each of onDisk) {
    const memory = createMemoryFs();
    const home = toMemory(each.home);
    await copyToMemory(memory, each.home, home);
    const inMemory = await openEditHome(memory, each.editing.source, home, elsewhere);
    homes.push({ onDisk: each, inMemory, memory });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const toMemory = (path: string): string => elsewhere + path.slice(folder.length);
const toDisk = (text: string): string => text.replaceAll(elsewhere, folder);

async function copyToMemory(memory: SessionFs, from: string, to: string): Promise<void> {
  await memory.mkdir(to);
  for (const name of readdirSync(from)) {
    const stats = statSync(join(from, name));
    if (stats.isDirectory()) await copyToMemory(memory, join(from, name), join(to, name));
    else {
      await memory.write(join(to, name), readFileSync(join(from, name)), stats.mode & 0o7777);
      await memory.touch?.(join(to, name), stats.mtimeMs);
    }
  }
}

/** Everything that a plan says but inodes and owners, with each planned file as its text. */
async function told(fs: SessionFs, { basis, steps, ...plan }: EditPlan): Promise<unknown> {
  const written = [];
  for (const step of steps) {
    if (!("entries" in step)) written.push(step);
    else
      written.push({ ...step, entries: await Promise.all(step.entries.map((each) => toldEntry(fs, each))) });
  }
  const paths = basis.map(({ entry: { kind, path }, mayGrow }) => ({ kind, path, mayGrow }));
  return JSON.parse(toDisk(JSON.stringify({ ...plan, basis: paths, steps: written })));
}

async function toldEntry(fs: SessionFs, entry: Planned): Promise<unknown> {
  const { kind, path } = entry;
  // A folder in memory has neither a mode nor a time.
  if (kind !== "file") return { kind, path };
  const { pieces = [], uid: _uid, gid: _gid, ino: _ino, ...rest } = entry;
  const parts: Buffer[] = [];
  for await (const chunk of contentOf(pieces, { fs })) parts.push(Buffer.from(chunk));
  return { ...rest, content: Buffer.concat(parts).toString("latin1") };
}

async function plan(
  fs: SessionFs,
  kind: Exclude<OperationKind, "undo">,
  { editing }: EditHome,
  artifact: Artifact,
  draw: Draw,
): Promise<unknown> {
  try {
    const draft = await draw(editing.editor, fs, artifact);
    return draft && (await told(fs, await toPlan(editing, fs, artifact, draft, { kind, title: "", scale })));
  } catch (error) {
    // What the disk says is an answer, too: the app turns it into a refusal.
    if (!(error instanceof Error && "code" in error)) throw error;
    return { code: error.code, ...(error instanceof AppError && { message: toDisk(error.message) }) };
  }
}

it("finds the same sessions", () => {
  expect(homes.length).toBeGreaterThan(10);
  for (const { onDisk, inMemory } of homes) {
    const seen = ({ artifacts }: EditHome): unknown =>
      artifacts.map(({ fingerprint: { ino: _, ...fingerprint }, ...artifact }) => ({
        ...artifact,
        fingerprint,
      }));
    expect(JSON.parse(toDisk(JSON.stringify(seen(inMemory)))), onDisk.home).toEqual(
      JSON.parse(JSON.stringify(seen(onDisk))),
    );
  }
});

it.each(draws(now))("plans every %s in memory as on the disk", async (_, kind, draw) => {
  let [planned, number] = [0, kinds++];
  for (const { onDisk, inMemory, memory } of homes)
    for (const artifact of onDisk.artifacts) {
      if (number++ % STRIDE !== 0) continue;
      const twin = inMemory.artifacts.find(({ path }) => path === toMemory(artifact.path));
      if (!twin) throw new Error(`${artifact.path} is not in memory`);
      const wanted = await plan(localFs, kind, onDisk, artifact, draw);
      expect(await plan(memory, kind, inMemory, twin, draw), artifact.path).toEqual(wanted);
      if (wanted && typeof wanted === "object" && "steps" in wanted) planned++;
    }
  expect(planned).toBeGreaterThan(15 / STRIDE);
});

it("repairs every home in memory as on the disk", async () => {
  for (const { onDisk, inMemory, memory } of homes) {
    const repair = async (fs: SessionFs, { editing, home }: EditHome): Promise<unknown> => {
      const draft = await editing.editor.repairs?.all?.(fs, home, { now });
      const session = { source: editing.source.id, id: "", path: "" };
      return (
        draft &&
        told(fs, { kind: "rescue", title: "", from: session, session, closed: [], hideout: "", ...draft })
      );
    };
    expect(await repair(memory, inMemory), onDisk.home).toEqual(await repair(localFs, onDisk));
  }
});

it("finds nothing to repair in a chat of a window without a folder, wherever VS Code keeps it", async () => {
  const home = homes.find(({ onDisk }) => onDisk.home.endsWith("windows-without-a-folder"));
  if (!home) throw new Error("there is no such home");
  const { editing, artifacts } = home.inMemory;
  const older = artifacts.filter(({ path }) => path.includes("no-workspace"));
  expect(older).toHaveLength(1);
  for (const artifact of older)
    expect(await editing.editor.repairs?.session(home.memory, artifact, { now })).toMatchObject({
      session: { path: artifact.path },
      repairs: expect.not.arrayContaining([expect.objectContaining({ path: artifact.path })]),
    });
});
