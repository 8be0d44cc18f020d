/** kill -9 while an application writes its log: what was flushed is there, whole and in order, and the log goes on. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { localFs } from "../src/platform/fs/local.ts";
import { readEvents } from "../src/sources/copilot-cli/event-writer/read-events.ts";
import { createEventWriter } from "../src/sources/copilot-cli/event-writer/writer.ts";

const folder = mkdtempSync(join(tmpdir(), "rethread-writer-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WRITER = join(import.meta.dirname, "../src/sources/copilot-cli/event-writer/writer.ts");
const FS = join(import.meta.dirname, "../src/platform/fs/local.ts");

/** Writes lines of some 100 kB from a number on, and tells each that is certain to be on disk. */
const program = (from: number): string => `
  const { createEventWriter } = await import(${JSON.stringify(WRITER)});
  const { localFs: fs } = await import(${JSON.stringify(FS)});
  const writer = await createEventWriter({ fs, folder: ${JSON.stringify(folder)}, onFailure: (failure) => { throw failure.error; } });
  for (let at = ${from}; ; at++) {
    await writer.write({ type: "user.message", data: { content: at + " " + "x".repeat(100_000) } });
    if (at % 5 === 4) { await writer.flush(); process.stdout.write(at + "\\n"); }
  }`;

/** The last number that the process told before it was killed. */
async function killAfter(lines: number, from: number): Promise<number> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program(from)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = "";
  child.stdout.on("data", (text) => {
    told += text;
    if (told.split("\n").length > lines) child.kill("SIGKILL");
  });
  await new Promise((resolve) => child.once("close", resolve));
  return Number(told.trimEnd().split("\n").at(-1));
}

it("loses nothing that was flushed, in six kills one after the other", async () => {
  let next = 0;
  for (let kills = 1; kills <= 6; kills++) {
    const certain = await killAfter(kills, next);
    // Whoever opens the log next heals its end.
    const writer = await createEventWriter({ fs: localFs, folder, onFailure: () => undefined });
    await writer.close();
    const { events, problems } = await readEvents(localFs, folder);
    const numbers = events.map(({ data }) => Number.parseInt((data as { content: string }).content, 10));
    expect(problems).toEqual([]);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(numbers.length).toBeGreaterThan(certain);
    expect(events.slice(1).map(({ parentId }) => parentId)).toEqual(events.slice(0, -1).map(({ id }) => id));
    next = numbers.length;
  }
});
