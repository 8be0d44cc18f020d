/** Rescue as a person uses it: found by doctor, shown, agreed to, done, undone. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeCopilotStore } from "../copilot-store.ts";
import { lookAtAll } from "../edit/home.ts";
import { pidLike } from "../lookalike.ts";
import { createHome, type Home, line, start } from "./home.ts";

const ID = "5e551011-aaaa-4bbb-8ccc-000000000001";
const OTHER = "0dd00000-aaaa-4bbb-8ccc-000000000002";
const BEGAN = new Date("2026-11-01T10:00:00.000Z");
let home: Home;

beforeEach(() => {
  home = createHome();
  const prompt = line("user.message", { content: "paint the shed" }, BEGAN, 1);
  const answer = line("assistant.message", { messageId: "m1", content: "Painted." }, BEGAN, 2);
  const joined = `${JSON.stringify(prompt)}${JSON.stringify(answer)}\n`;
  home.session(ID, [start(ID, BEGAN), joined, "%%\n"], { cwd: "/work/garden", name: "Garden" });
  home.session(OTHER, [start(OTHER, BEGAN), prompt], { cwd: "/work/garden", name: "Sound" });
});
afterEach(() => home.remove());

const copilot = (): string => join(home.path, ".copilot");
const log = (): string => join(copilot(), "session-state", ID, "events.jsonl");
const json = (...words: string[]) => {
  const { stdout, code } = home.again(...words, "--json");
  return { code, ...JSON.parse(stdout) };
};

it("is what doctor advises, and then doctor is content", () => {
  expect(json("doctor").problems).toMatchObject([
    { code: "record-unreadable", line: 2, fix: `rethread rescue copilot-cli:${ID}` },
    { code: "record-unreadable", line: 3, fix: `rethread rescue copilot-cli:${ID}` },
  ]);
  expect(json("rescue", "--yes").code).toBe(0);
  expect(json("doctor").problems).toEqual([]);
  // The two sessions have the same prompt under the same id, so it is one hit.
  expect(json("search", "shed").hits).toMatchObject([{ alsoIn: [expect.anything()] }]);
});

it("is not needed for a clone, which is repaired itself and says so", () => {
  const before = readFileSync(log());
  const text = home.again("clone", "Garden", "--name", "Copy").stdout;
  expect(text).toContain(
    "The copy is repaired; the original is not changed:\n    line 2: not alone on its line: split",
  );
  expect(text).toContain("left out: bytes ");
  const answer = json("clone", "Garden", "--dry-run");
  expect(answer.repairs).toMatchObject([
    { path: log(), line: 2, lost: false },
    { line: 2, lost: false },
    { line: 3, lost: true },
  ]);
  expect(json("clone", "Sound", "--dry-run").repairs).toEqual([]);
  expect(readFileSync(log())).toEqual(before);
  const copies = json("doctor").problems.filter(({ session }: { session: string }) => session !== ID);
  expect(copies).toEqual([]);
});

it("tells what it did to which bytes", () => {
  const before = readFileSync(log());
  const [first, second] = before
    .toString()
    .split("\n")
    .map((text) => Buffer.byteLength(text)) as [number, number];
  const place = { path: log(), line: 2, what: "not alone on its line: split", lost: false };
  const answer = json("rescue", "Garden", "--yes");
  expect(answer).toMatchObject({
    code: 0,
    failures: [],
    rescues: [
      {
        operation: expect.stringMatching(/^[0-9a-f]{8}$/),
        session: { source: "copilot-cli", id: ID },
        plan: { kind: "rescue", steps: [{ does: "replace", path: log() }] },
        losses: [
          `bytes ${first + second + 2} to ${first + second + 3} of events.jsonl (line 3): not a record or part of one`,
        ],
        repairs: [place, place, { line: 3, what: "not a record or part of one", lost: true }],
      },
    ],
  });
  expect(json("show", "Garden").turns).toMatchObject([{ user: "paint the shed", assistant: "Painted." }]);
  expect(json("undo", answer.rescues[0].operation, "--yes").code).toBe(0);
  expect(readFileSync(log()).equals(before)).toBe(true);
});

it("tells of the one session that was named what every other writing command tells", () => {
  const { code, schemaVersion, rescues, failures, ...fields } = json("rescue", "Garden", "--yes");
  expect({ code, schemaVersion, failures }).toEqual({ code: 0, schemaVersion: 1, failures: [] });
  expect([fields]).toEqual(rescues);
  expect(json("undo", fields.operation, "--yes").code).toBe(0);
  const other = join(copilot(), "session-state", OTHER, "events.jsonl");
  writeFileSync(other, `${readFileSync(other, "utf8")}%%\n`);
  expect(Object.keys(json("rescue", "--yes"))).toEqual(["code", "schemaVersion", "rescues", "failures"]);
});

it("foretells what becomes of the rows in the program's own store, and does that", () => {
  const store = makeCopilotStore(join(copilot(), "session-store.db"));
  store.exec(`INSERT INTO sessions (id, cwd) VALUES ('${ID}', '/work/garden')`);
  store.close();
  const foretold = json("rescue", "Garden", "--dry-run");
  expect(foretold).toMatchObject({ operation: null, ownRows: [{ tables: { turns: { added: 1 } } }] });
  expect(home.again("rescue", "Garden", "--dry-run").stdout).toContain(
    "own store: 1 row would be updated, 2 rows would be added",
  );
  expect(json("rescue", "Garden", "--yes").ownRows).toEqual(foretold.ownRows);
});

it("does nothing without being told to", () => {
  const before = lookAtAll(copilot());
  expect(home.again("rescue", "--all", "--dry-run").stdout).toMatch(/^Would rescue "Garden"\n +replace /);
  expect(json("rescue", "Garden")).toMatchObject({ code: 2, error: { code: "needs-yes" } });
  expect(json("rescue", "Garden", "--all")).toMatchObject({ code: 2, error: { code: "usage" } });
  expect(lookAtAll(copilot())).toEqual(before);
});

it("says that nothing is wrong, of one session and of all", () => {
  expect(home.again("rescue", "Sound").stdout).toBe('Nothing is wrong with "Sound"\n');
  expect(json("rescue", "Sound", "--yes")).toMatchObject({
    code: 0,
    rescues: [{ operation: null, repairs: [] }],
  });
  home.again("rescue", "--yes");
  expect(home.again("rescue").stdout).toBe("No session needs repair.\n");
});

it("repairs the others when one of them cannot be", () => {
  writeFileSync(join(copilot(), "session-state", OTHER, "events.jsonl"), "%%\n");
  writeFileSync(
    join(copilot(), "session-state", OTHER, `inuse.${pidLike("copilot")}.lock`),
    `${pidLike("copilot")}\n`,
  );
  expect(json("rescue", "--yes")).toMatchObject({
    code: 1,
    rescues: [{ session: { id: ID }, operation: expect.any(String) }],
    failures: [{ session: `copilot-cli:${OTHER}`, code: "session-busy" }],
  });
  expect(home.again("rescue", OTHER, "--yes").code).toBe(5);
});

it("repairs several as one write, which one undo takes back", () => {
  const torn = `${JSON.stringify(line("user.message", { content: "dig" }, BEGAN, 1))}${JSON.stringify(line("assistant.message", { messageId: "m9", content: "Dug." }, BEGAN, 2))}\n`;
  home.session(OTHER, [start(OTHER, BEGAN), torn, "%%\n"], { cwd: "/work/garden", name: "Second" });
  const before = lookAtAll(copilot());
  const { code, rescues, failures } = json("rescue", ID, OTHER, "--yes");
  expect([code, failures]).toEqual([0, []]);
  expect(rescues).toMatchObject([
    { session: { id: ID }, repairs: [{ line: 2 }, { line: 2 }, { line: 3 }] },
    { session: { id: OTHER }, repairs: [{ line: 2 }, { line: 2 }, { line: 3 }] },
  ]);
  expect(rescues[0].operation).toBe(rescues[1].operation);
  expect(json("history").writes).toHaveLength(1);
  expect(json("doctor").problems).toEqual([]);
  expect(json("undo", rescues[0].operation, "--yes").code).toBe(0);
  expect(lookAtAll(copilot())).toEqual(before);
  const { stdout } = home.again("rescue", ID, OTHER, "--yes");
  expect(stdout.match(/^Rescued /gm)).toHaveLength(2);
  expect(stdout.match(/undo.*rethread undo \w+/g)).toEqual([
    expect.stringMatching(/^undo both +rethread undo [0-9a-f]{8}$/),
  ]);
});
