/** How much of a made-up history blame finds, and how much of what it says is true. The numbers are in the titles. */
import { describe, expect, it } from "vitest";
import { createAsking } from "./asking.ts";
import { type History, makeHistory } from "./history.ts";

interface Score {
  /** Lines that a turn wrote, and that are said to be its. */
  readonly right: number;
  /** Lines that are said to be of a turn that did not write them. */
  readonly wrong: number;
  /** Lines that a turn wrote, and of which that is not said. */
  readonly missed: number;
  /** Lines that nobody wrote, with and without a commit. */
  readonly committed: number;
  readonly loose: number;
  readonly history: Pick<History, "counts"> & { readonly files: number; readonly sessions: number };
}

async function score(seed: number, fragments: boolean): Promise<Score> {
  const asking = createAsking();
  try {
    const { files, sessions, counts } = makeHistory(asking.home, { seed, files: 40, edits: 520, fragments });
    const sum = { right: 0, wrong: 0, missed: 0, committed: 0, loose: 0 };
    const app = await asking.app();
    for (const { path, lines } of files) {
      const blame = await app.blame({ file: path });
      expect(blame.lines.map(({ text }) => text)).toEqual(lines.map(({ text }) => text));
      for (const [at, { by }] of lines.entries()) {
        const { written, commit } = blame.lines[at] ?? {};
        const isRight = written?.session.id === by?.session.id && written?.turn === by?.turn;
        if (by && isRight) sum.right++;
        if (written && !isRight) sum.wrong++;
        if (by && !isRight) sum.missed++;
        if (!written && commit) sum.committed++;
        if (!written && !commit) sum.loose++;
      }
    }
    return { ...sum, history: { counts, files: files.length, sessions: sessions.length } };
  } finally {
    asking.remove();
  }
}

const SEEDS = process.env.RETHREAD_FULL === undefined ? [1] : [1, 2, 3, 4];
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const HISTORIES = [false, true].flatMap((fragments) =>
  SEEDS.map((seed) => ({ seed, fragments, name: `${seed}${fragments ? ", with fragments of lines" : ""}` })),
);

describe.each(
  await Promise.all(
    HISTORIES.map(async (each) => ({ ...each, ...(await score(each.seed, each.fragments)) })),
  ),
)("history $name", ({ right, wrong, missed, committed, loose, history, fragments }) => {
  const least = fragments ? 0.98 : 0.99;
  const [recall, precision] = [right / (right + missed), right / (right + wrong)];

  it("has what makes it hard", () => {
    const { counts, files, sessions } = history;
    const total = Object.entries(counts)
      .filter(([what]) => /^(create|copilot-cli|claude-code|vscode)/.test(what))
      .reduce((sum, [, count]) => sum + count, 0);
    expect({ total: total >= 500, files: files >= 40, sessions: sessions >= 10 }).toEqual({
      total: true,
      files: true,
      sessions: true,
    });
    const kinds = ["failed", "by hand", "fork", "rewind", "git mv", "moved by an agent", "commits"];
    for (const what of kinds) expect(counts[what] ?? 0, what).toBeGreaterThan(0);
    for (const what of ["fragment", "rewritten by hand"])
      expect(counts[what] ?? 0, what).toBeGreaterThan(fragments ? 10 : -1);
  });

  it(`finds ${percent(recall)} of ${right + missed} lines that sessions wrote`, () => {
    expect(recall).toBeGreaterThanOrEqual(least);
  });

  it(`is right about ${percent(precision)} of ${right + wrong} lines that it gives to sessions`, () => {
    expect(precision).toBeGreaterThanOrEqual(least);
  });

  it("has a commit for most other lines, and none for those that are not committed", () => {
    expect(committed).toBeGreaterThan(loose);
    expect(loose).toBeGreaterThan(0);
  });
});
