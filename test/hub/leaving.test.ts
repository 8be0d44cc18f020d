/** What must never arrive on a hub, looked for in all tables of its database. */
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newHub, type TestHub } from "./cluster.ts";
import { deriveAll } from "./demo-hub.ts";
import { everythingOf } from "./everything.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { type ServedHub, serveHub } from "./served.ts";
import { type Machine, newMachine } from "./syncing-machine.ts";

const ID = "0b1c2d3e-0000-4000-8000-00000000000a";

let hub: TestHub;
let people: People;
let robin: Person;
let served: ServedHub;
let laptop: Machine;

beforeAll(async () => {
  hub = await newHub();
  people = await peopleOf(hub);
  served = await serveHub(hub);
});
afterAll(async () => {
  await served.close();
  await people.close();
  await hub.close();
});
beforeEach(async () => {
  robin = await people.add(`robin-${Math.random()}`);
  laptop = await newMachine("laptop", { RETHREAD_HUB_URL: served.url, RETHREAD_HUB_TOKEN: robin.token });
});
afterEach(() => laptop.remove());

/** A token of its own for each place. */
const tokenOf = (place: number): string =>
  `ghp_${String(place).padStart(4, "0")}456789abcdefghijABCDEFGHIJ012345`;

const everything = async (): Promise<string> => {
  await deriveAll(hub, people, robin);
  return everythingOf(people, robin);
};
/** The lines that hold it. */
const whereIs = (all: string, secret: string): string[] =>
  all.split("\n").filter((line) => line.includes(secret));

describe("a secret", () => {
  it("in the name of a folder, a branch, a repository, a session or a file stays here", async () => {
    const folder = laptop.clone("acme/shop", join(laptop.home, "work", tokenOf(1), "shop"));
    laptop.session(ID, folder, ["hello"]);
    laptop.write(
      laptop.pathOf(ID, "workspace.yaml"),
      `id: ${ID}\ncwd: ${JSON.stringify(folder)}\nname: "use ${tokenOf(2)}"\nbranch: b-${tokenOf(3)}\nrepository: acme/${tokenOf(4)}\n`,
    );
    laptop.write(laptop.pathOf(ID, `files/${tokenOf(5)}.txt`), "notes of one");
    laptop.write(laptop.pathOf(ID, `files/of ${tokenOf(6)}/a.md`), "notes of another");
    await laptop.sync.setRules({ effect: "allow", repositories: ["**"] });
    expect(await laptop.sync.push({ consents: true })).toMatchObject({ created: 1, problems: [] });
    const all = await everything();
    for (const place of [1, 2, 3, 4, 5, 6])
      expect(whereIs(all, tokenOf(place)), `place ${place}`).toEqual([]);
    expect(all).toMatch(
      /raw_files\.path: session-state\/[\da-f-]+\/files\/redacted-github-token-[\da-f]{8}\.txt/,
    );
    expect(whereIs(all, "notes of one")).not.toEqual([]);

    // The same name the next time, and on another machine.
    laptop.write(laptop.pathOf(ID, `files/${tokenOf(5)}.txt`), "notes of one, longer");
    expect(await laptop.sync.push()).toMatchObject({ updated: 1 });
    const files = await people.ask("SELECT path FROM hub.raw_files WHERE account_id = $1", [robin.account]);
    expect(files).toHaveLength(4);
    expect(await laptop.sync.push()).toMatchObject({ updated: 0, unchanged: 1 });
    const desk = await newMachine("desk", laptop.vars);
    const elsewhere = await desk.as({ HOME: desk.home, RETHREAD_HOME: desk.dataHome });
    const pulled = await elsewhere.sync.pull({ sessions: [ID], to: elsewhere.clone("acme/shop") });
    expect(pulled).toMatchObject({ sessions: [{ outcome: "pulled" }] });
    elsewhere.remove();
  });

  it("in the title of a session whose files are gone stays here, too", async () => {
    const password = "Tr0ub4dor&3xyz";
    laptop.session(ID, laptop.clone("acme/shop"), [`log in with ${password}`, `password=${password}`]);
    await laptop.sync.push({ consents: true });
    const before = await everything();
    expect(whereIs(before, password)).toEqual([]);
    rmSync(dirname(laptop.pathOf(ID)), { recursive: true });
    expect(await laptop.sync.push()).toMatchObject({ vanished: 1 });
    expect(whereIs(await everything(), password)).toEqual([]);
    // What the hub was told before is known as before.
    const [row] = await people.ask(
      "SELECT about, title, repository, vanished_at FROM hub.sessions WHERE account_id = $1",
      [robin.account],
    );
    expect(row).toMatchObject({
      title: expect.stringMatching(/^log in with \[redacted: password/),
      repository: "acme/shop",
    });
    expect(row?.about).toMatchObject({ repository: "acme/shop", vanishedAt: row?.vanished_at });
  });
});

it("a file whose name no hub takes is left out, and the session leaves", async () => {
  laptop.session(ID, laptop.clone("acme/shop"), ["hello"]);
  for (const name of ["a\\b.txt", "a\nb.txt", "fine.txt"])
    laptop.write(laptop.pathOf(ID, `files/${name}`), "x");
  const report = await laptop.sync.push({ consents: true });
  expect(report).toMatchObject({ outcome: "clean", created: 1 });
  expect(report.leftOut.map(({ path, why }) => [path.slice(-7), why])).toEqual([
    ["a\nb.txt", "has a name that the hub does not take"],
    ["a\\b.txt", "has a name that the hub does not take"],
  ]);
  expect(await everything()).toContain("files/fine.txt");
});
