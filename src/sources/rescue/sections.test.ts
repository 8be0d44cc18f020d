import { expect, it } from "vitest";
import { artifact, record, start } from "../../../test/copilot-log.ts";
import { createMadeUpFs, letters, type MadeUpPiece, nuls } from "../../../test/made-up-file.ts";
import { contentOf } from "../../edit/apply/content.ts";
import { rescueLog } from "../copilot-cli/edit/rescue/log.ts";
import { sectionsOf } from "./sections.ts";

const LIMITS = { hole: 100, section: 1000, all: 5000 };
const sections = async (...pieces: MadeUpPiece[]): Promise<string[]> => {
  const fs = createMadeUpFs("/log", pieces);
  const found = await sectionsOf(fs, "/log", { start: 0, end: fs.size, line: 1 }, LIMITS);
  // They leave no byte out.
  let at = 0;
  for (const section of found) {
    expect(section.start).toBe(at);
    at = section.kind === "lost" ? section.end : section.start + section.bytes.length;
  }
  expect(at).toBe(fs.size);
  return found.map((section) =>
    section.kind === "lost"
      ? `line ${section.line}: ${section.end - section.start} lost, ${section.why}`
      : `line ${section.line}: ${section.bytes.length < 50 ? JSON.stringify(section.bytes.toString()) : section.bytes.length}`,
  );
};

it("parts a stretch at holes of NULs, and leaves a few where they stand", async () => {
  expect(await sections("one\ntwo", nuls(300), "three\n", nuls(5), "four", nuls(2 << 20))).toEqual([
    'line 1: "one\\ntwo"',
    "line 2: 300 lost, NUL bytes, as left by a crash",
    'line 2: "three\\n\\u0000\\u0000\\u0000\\u0000\\u0000four"',
    "line 3: 2097152 lost, NUL bytes, as left by a crash",
  ]);
});

it("cuts a long stretch at ends of lines, and passes over a line that is too long", async () => {
  expect(await sections(letters(600), "\n", letters(700), "\nshort\n", letters(3 << 20), "\nlast\n")).toEqual(
    [
      "line 1: 601",
      "line 2: 707",
      "line 4: 3145729 lost, a damaged line that is too long to be repaired",
      'line 5: "last\\n"',
    ],
  );
  expect(await sections(letters(3000), nuls(100), "after")).toEqual([
    "line 1: 3000 lost, a damaged line that is too long to be repaired",
    "line 1: 100 lost, NUL bytes, as left by a crash",
    'line 1: "after"',
  ]);
});

it("refuses more than can be repaired at once", async () => {
  const lines: MadeUpPiece[] = Array.from({ length: 10 }, () => [letters(900), "\n"]).flat();
  await expect(sections(...lines)).rejects.toMatchObject({ code: "unreadable" });
});

it("rescues what stands before and behind a hole of 600 MB", async () => {
  const lines = ["before the hole", "behind the hole"].map((content) =>
    JSON.stringify(record("user.message", { content })),
  );
  const first = `${JSON.stringify(start)}\n${lines[0]}\n`;
  const fs = createMadeUpFs(artifact.path, [first, nuls(600 << 20), `${lines[1]}\n`]);
  const size = fs.size;
  const { pieces, repairs } = await rescueLog(fs, { ...artifact, fingerprint: { size, mtimeMs: 0, ino: 1 } });
  const parts: Buffer[] = [];
  for await (const chunk of contentOf(pieces, { fs })) parts.push(Buffer.from(chunk));
  expect(Buffer.concat(parts).toString()).toBe(`${first}${lines[1]}\n`);
  expect(repairs.filter(({ isLost }) => isLost)).toMatchObject([
    { line: 3, start: first.length, end: first.length + (600 << 20) },
  ]);
});

/** Beyond what is held of any line. */
const HUGE = (process.env.RETHREAD_FULL === undefined ? 70 : 700) << 20;

it("keeps a sound line as it is, however long", async () => {
  const [before = "", behind = ""] = JSON.stringify(
    record("assistant.message", { messageId: "m", content: "@", toolRequests: [] }),
  ).split("@");
  const first = `${JSON.stringify(start)}\n`;
  const torn = '{"type":"user.message","data":{"content":"torn';
  const fs = createMadeUpFs(artifact.path, [first, before, letters(HUGE), behind, "\n", torn]);
  const { size } = fs;
  const { pieces } = await rescueLog(fs, { ...artifact, fingerprint: { size, mtimeMs: 0, ino: 1 } });
  const kept = pieces.reduce((sum, piece) => sum + ("file" in piece ? piece.end - piece.start : 0), 0);
  expect(kept).toBe(size - torn.length);
});
