/** Which files go back with a rewind of a transcript, which stay, and why. */
import { describe, expect, it } from "vitest";
import { carriedOut, homeOf, NEW, OLD, textAt } from "../../../../../test/edit/claude-transcript.ts";
import type { Transcript } from "../../../../../test/real/claude-rows.ts";
import type { RewindRequest } from "../../../requests.ts";
import { editor } from "../index.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
const SHOP = "/srv/shop";
type Noted = Record<string, string | null>;

const backup = (name: string | null, folder = SHOP) => ({
  backupFileName: name,
  version: 1,
  realParentDir: folder,
});
const snapshot = (t: Transcript, messageId: string, files: Noted): void =>
  t.note({
    type: "file-history-snapshot",
    messageId,
    snapshot: {
      messageId,
      trackedFileBackups: Object.fromEntries(
        Object.entries(files).map(([path, name]) => [path, backup(name)]),
      ),
    },
    isSnapshotUpdate: false,
  });
const delta = (
  t: Transcript,
  prompt: string,
  trackingPath: string,
  name: string | null,
  folder = SHOP,
): void =>
  t.note({
    ...{ type: "file-history-delta", messageId: "any", snapshotMessageId: prompt, trackingPath },
    backup: backup(name, folder),
  });
/** A prompt with the states that are noted at it. */
const ask = (t: Transcript, turn: number, files: Noted = {}): void => {
  t.prompt(`p${turn}`, { uuid: `p${turn}` });
  snapshot(t, `p${turn}`, files);
};
let calls = 0;
const edit = (t: Transcript, path: string, before: string, after: string): void => {
  const id = `e${calls++}`;
  t.call(id);
  t.result(id, {
    toolUseResult: {
      ...{ filePath: path, oldString: before, newString: after, originalFile: `${before}\n` },
      structuredPatch: [{ oldStart: 1, newStart: 1, lines: [`-${before}`, `+${after}`] }],
    },
  });
};
const create = (t: Transcript, path: string, content: string): void => {
  const id = `e${calls++}`;
  t.call(id);
  t.result(id, { toolUseResult: { type: "create", filePath: path, content, originalFile: null } });
};
const run = (t: Transcript): void => {
  const id = `e${calls++}`;
  t.call(id);
  t.result(id, { toolUseResult: { stdout: "", stderr: "" } });
};
const kept = (name: string, id = OLD): string => `/c/file-history/${id}/${name}`;
const [A1, A2, B1] = ["aaaaaaaaaaaaaaaa@v1", "aaaaaaaaaaaaaaaa@v2", "bbbbbbbbbbbbbbbb@v1"];

/** Turn 1 changes a.txt and makes b.txt, turn 2 changes a.txt again. */
const story = (t: Transcript): void => {
  ask(t, 0);
  t.answer("a0");
  ask(t, 1);
  delta(t, "p1", "a.txt", A1);
  edit(t, `${SHOP}/a.txt`, "one", "two");
  delta(t, "p1", "b.txt", null);
  create(t, `${SHOP}/b.txt`, "b\n");
  ask(t, 2, { "a.txt": A2, "b.txt": B1 });
  edit(t, `${SHOP}/a.txt`, "two", "three");
  t.answer("a2");
};
const FILES = {
  [`${SHOP}/a.txt`]: "three\n",
  [`${SHOP}/b.txt`]: "b\n",
  [kept(A1)]: "one\n",
  [kept(A2)]: "two\n",
  [kept(B1)]: "b\n",
};
const rewind = (home: Awaited<ReturnType<typeof homeOf>>, request: Partial<RewindRequest> = {}) =>
  editor.rewind(home.fs, home.artifact, { to: 0, now, id: NEW, files: true, ...request });
const told = ({ files = [] }: Awaited<ReturnType<typeof rewind>>) =>
  files.map(({ path, becomes, skipped }) => `${path} ${skipped ?? becomes}`);

describe("a rewind with files", () => {
  it("takes each back to what it was before the first turn that goes", async () => {
    const home = await homeOf(story, FILES);
    const draft = await rewind(home);
    expect(draft.files).toEqual([
      ...[{ path: `${SHOP}/a.txt`, change: "modified", becomes: "restored", linesAdded: 2, linesRemoved: 2 }],
      ...[{ path: `${SHOP}/b.txt`, change: "created", becomes: "removed", linesAdded: 1, linesRemoved: 0 }],
    ]);
    const { planned, said } = await carriedOut(home, draft);
    expect(await textAt(planned, `${SHOP}/a.txt`)).toBe("one\n");
    expect(await planned.exists(`${SHOP}/b.txt`)).toBe(false);
    expect(said).toEqual(["p0", "a0"]);
    // Up to a later turn, only what that one did.
    const later = await rewind(home, { to: 1 });
    expect(told(later)).toEqual([`${SHOP}/a.txt restored`]);
    expect(await textAt((await carriedOut(home, later)).planned, `${SHOP}/a.txt`)).toBe("two\n");
  });

  it("only names them where they are to stay", async () => {
    const draft = await rewind(await homeOf(story, FILES), { files: false });
    expect(told(draft)).toEqual([`${SHOP}/a.txt unchanged`, `${SHOP}/b.txt unchanged`]);
    expect(draft.steps.map(({ path }) => path)).toEqual([draft.session.path]);
  });

  it("leaves those that were changed since, or refuses then", async () => {
    const home = await homeOf(story, { ...FILES, [`${SHOP}/a.txt`]: "mine\n" });
    const draft = await rewind(home);
    expect(told(draft)).toEqual([`${SHOP}/a.txt user-modified`, `${SHOP}/b.txt removed`]);
    expect(draft.steps.map(({ path }) => path)).not.toContain(`${SHOP}/a.txt`);
    await expect(rewind(home, { strict: true })).rejects.toMatchObject({ code: "changed-since" });
  });

  it("leaves those whose earlier state nobody has", async () => {
    const { [kept(A1)]: _, ...without } = FILES;
    const gone = await rewind(await homeOf(story, without));
    expect(told(gone)).toEqual([`${SHOP}/a.txt skipped-capture`, `${SHOP}/b.txt removed`]);
    expect(gone.losses).toContain(
      "a.txt, of which no earlier state was recorded (the program's copy is gone)",
    );
    // In the middle of a turn no state was noted.
    const home = await homeOf(story, FILES);
    const row = JSON.parse(home.lines.find((line) => line.includes('"newString":"three"')) ?? "{}").uuid;
    expect(told(await rewind(home, { to: row }))).toEqual([`${SHOP}/a.txt skipped-capture`]);
  });

  it("names what a command, or a sub-agent, may have changed in the last turn", async () => {
    const home = await homeOf(
      (t) => {
        ask(t, 0);
        ask(t, 1, { "a.txt": A1, "b.txt": B1 });
        run(t);
        delta(t, "p1", "c.txt", A2);
      },
      { ...FILES, [`${SHOP}/c.txt`]: "by a sub-agent\n" },
    );
    // b.txt is what it was; of c.txt it is only known that something changed it.
    expect(told(await rewind(home))).toEqual([
      `${SHOP}/a.txt user-modified`,
      `${SHOP}/c.txt skipped-capture`,
    ]);
  });

  it("restores what lies outside the session's folder only when asked to", async () => {
    const out = "/srv/else/o.txt";
    const home = await homeOf(
      (t) => {
        ask(t, 0);
        ask(t, 1);
        delta(t, "p1", out, A1, "/srv/else");
        edit(t, out, "one", "two");
      },
      { ...FILES, [out]: "two\n" },
    );
    await expect(rewind(home)).rejects.toMatchObject({ code: "outside-workspace" });
    const { planned } = await carriedOut(home, await rewind(home, { outside: true }));
    expect(await textAt(planned, out)).toBe("one\n");
  });

  it("changes no file that the path did not lead to then", async () => {
    const home = await homeOf((t) => {
      ask(t, 0);
      ask(t, 1);
      delta(t, "p1", "a.txt", A1, "/srv/elsewhere");
      edit(t, `${SHOP}/a.txt`, "one", "three");
    }, FILES);
    expect(told(await rewind(home))).toEqual([`${SHOP}/a.txt link-changed`]);
  });

  it("knows files whose lines end in two characters", async () => {
    const home = await homeOf(
      (t) => {
        ask(t, 0);
        ask(t, 1);
        delta(t, "p1", "a.txt", A1);
        edit(t, `${SHOP}/a.txt`, "one", "two");
      },
      { [`${SHOP}/a.txt`]: "two\r\n", [kept(A1)]: "one\r\n" },
    );
    const { planned } = await carriedOut(home, await rewind(home));
    expect(await textAt(planned, `${SHOP}/a.txt`)).toBe("one\r\n");
  });

  it("is refused where the program noted nothing, as it does without a terminal", async () => {
    const home = await homeOf((t) => {
      t.prompt("p0");
      t.prompt("p1");
    });
    await expect(rewind(home)).rejects.toMatchObject({ code: "not-supported" });
    expect((await rewind(home, { files: false })).files).toEqual([]);
  });

  it("takes no name for the program's copy that leads elsewhere", async () => {
    const home = await homeOf(
      (t) => {
        ask(t, 0);
        ask(t, 1);
        delta(t, "p1", "a.txt", "../../../etc/passwd");
        edit(t, `${SHOP}/a.txt`, "one", "three");
      },
      { ...FILES, "/c/etc/passwd": "root" },
    );
    expect(told(await rewind(home))).toEqual([`${SHOP}/a.txt skipped-capture`]);
  });
});

it("goes with a clone, which has the states as well", async () => {
  const home = await homeOf(story, FILES);
  const copy = await carriedOut(home, await editor.clone(home.fs, home.artifact, { id: NEW, now }));
  const draft = await editor.rewind(copy.planned, copy.artifact, { to: 0, now, id: OLD, files: true });
  expect(told(draft)).toEqual([`${SHOP}/a.txt restored`, `${SHOP}/b.txt removed`]);
});
