import { afterEach, describe, expect, it, vi } from "vitest";
import { fold } from "../present/text/text.ts";
import { createOutput } from "./output.ts";

afterEach(() => vi.restoreAllMocks());

/** What goes to stderr, by a terminal of 40 columns or by a file. */
function remarks(isTerminal: boolean, say: (out: ReturnType<typeof createOutput>) => void): string {
  let written = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written += text;
    return true;
  });
  say(
    createOutput({
      color: false,
      columns: 120,
      remarkColumns: 40,
      terminal: { stdout: isTerminal, stderr: isTerminal },
    }),
  );
  return written;
}

const MESSAGE = "The session's folder is gone, and so is everything that was in it";
const HINT = "See where it may have moved: rethread doctor --source copilot-cli --json";

describe("failures and notes", () => {
  it("break at words in a terminal; a command stays in one piece", () => {
    expect(remarks(true, (out) => out.failure(MESSAGE, "workspace-missing", HINT))).toBe(
      `error: The session's folder is gone, and
so is everything that was in it
(workspace-missing)
See where it may have moved:
rethread doctor --source copilot-cli --json
`,
    );
    expect(remarks(true, (out) => out.note(MESSAGE)).split("\n")).toHaveLength(3);
  });

  it("are lines of their own elsewhere", () => {
    expect(remarks(false, (out) => out.failure(MESSAGE, "workspace-missing", HINT))).toBe(
      `error: ${MESSAGE} (workspace-missing)\n${HINT}\n`,
    );
    expect(remarks(false, (out) => out.note(MESSAGE))).toBe(`${MESSAGE}\n`);
  });

  it("keep their indent, and words that are longer than a line are broken", () => {
    expect(fold("  one two three", 8)).toEqual(["  one", "  two", "  three"]);
    expect(fold("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  });
});

describe("one object for programs", () => {
  const printed = (say: (out: ReturnType<typeof createOutput>) => void): unknown => {
    let written = "";
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written += text;
      return true;
    });
    remarks(false, say);
    return JSON.parse(written);
  };

  it("has what was remarked before it", () => {
    const said = printed((out) => {
      out.note(MESSAGE);
      out.json({ hits: [] });
    });
    expect(said).toEqual({ schemaVersion: 1, notices: [MESSAGE], hits: [] });
  });

  it("has none of that where nothing was, or where the answer has notices of its own", () => {
    expect(printed((out) => out.json({ hits: [] }))).toEqual({ schemaVersion: 1, hits: [] });
    const own = printed((out) => {
      out.note(MESSAGE);
      out.json({ notices: [] });
    });
    expect(own).toEqual({ schemaVersion: 1, notices: [] });
  });
});
