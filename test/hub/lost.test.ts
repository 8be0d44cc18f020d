/** A hub that has less than it acknowledged, or from which something was deleted elsewhere: its machines notice. */
import { cpSync, readFileSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hubSessionId } from "../../src/hub/protocol.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { type ServedHub, serveHub } from "./served.ts";
import { type Machine, newMachine } from "./syncing-machine.ts";

const ID = "0b1c2d3e-0000-4000-8000-00000000000a";
const OTHER = "0b1c2d3e-0000-4000-8000-00000000000b";

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

const OF_SESSIONS = ["raw_events", "raw_files", "sessions"];
const PUSHED = `SELECT encode(string_agg(sha256, '' ORDER BY path, start), 'hex') AS all
  FROM hub.raw_events WHERE account_id = $1`;
const pushed = async (): Promise<unknown> => (await people.ask(PUSHED, [robin.account]))[0]?.all;

/** What a hub forgets that was restored from a backup of before. */
async function lose(): Promise<void> {
  for (const table of OF_SESSIONS)
    await people.ask(`DELETE FROM hub.${table} WHERE account_id = $1`, [robin.account]);
}

describe("a hub", () => {
  it("that has lost everything gets it again", async () => {
    for (const id of [ID, OTHER]) laptop.session(id, laptop.clone("acme/shop"), ["first"]);
    await laptop.sync.push({ consents: true });
    const before = await pushed();
    await lose();
    expect(await laptop.sync.push()).toMatchObject({ outcome: "clean", created: 2, unchanged: 0 });
    expect(await pushed()).toBe(before);
    expect(await laptop.sync.push()).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  });

  it("that is back at an older state gets what came since", async () => {
    for (const id of [ID, OTHER]) laptop.session(id, laptop.clone("acme/shop"), ["first"]);
    await laptop.sync.push({ consents: true });
    for (const table of OF_SESSIONS)
      await people.ask(
        `CREATE TABLE kept_${table} AS SELECT * FROM hub.${table} WHERE account_id = '${robin.account}'`,
      );
    laptop.say(ID, "second");
    await laptop.sync.push();
    const before = await pushed();
    await lose();
    for (const table of OF_SESSIONS) {
      await people.ask(`INSERT INTO hub.${table} SELECT * FROM kept_${table}`);
      await people.ask(`DROP TABLE kept_${table}`);
    }
    expect(await laptop.sync.push()).toMatchObject({
      created: 0,
      updated: 1,
      eventsUploaded: 2,
      unchanged: 1,
    });
    expect(await pushed()).toBe(before);
  });

  it("that has lost a sealed session gets it again", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    await laptop.sync.key({ action: "new" });
    await laptop.sync.setRules({ effect: "sealed", repositories: ["acme/shop"] });
    await laptop.sync.push({ consents: true });
    expect(await laptop.sync.push()).toMatchObject({ unchanged: 1, updated: 0 });
    await lose();
    expect(await laptop.sync.push()).toMatchObject({ created: 1, unchanged: 0 });
    expect(await laptop.sync.push()).toMatchObject({ unchanged: 1, created: 0 });
  });

  it("gives back what was sealed, also files that were empty at first", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    const notes = Array.from({ length: 8 }, (_, at) => `files/${at}.txt`);
    for (const name of notes) laptop.write(laptop.pathOf(ID, name), "");
    await laptop.sync.key({ action: "new" });
    await laptop.sync.setRules({ effect: "sealed", repositories: ["acme/shop"] });
    await laptop.sync.push({ consents: true });
    for (const name of notes) laptop.write(laptop.pathOf(ID, name), `about ${name}`);
    await laptop.sync.push();
    const { identity = "" } = await laptop.sync.key({ action: "show" });
    const vars = { RETHREAD_HUB_URL: served.url, RETHREAD_HUB_TOKEN: robin.token };
    const desk = await newMachine("desk", vars);
    await desk.sync.key({ action: "import", identity });
    expect(await desk.sync.pull({ to: desk.clone("acme/shop") })).toMatchObject({ outcome: "clean" });
    for (const name of notes) expect(readFileSync(desk.pathOf(ID, name), "utf8")).toBe(`about ${name}`);
    desk.remove();
  });

  it("that has another address now has what it had, also what came from there", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    await laptop.sync.push({ consents: true });
    const vars = { RETHREAD_HUB_URL: served.url, RETHREAD_HUB_TOKEN: robin.token };
    const desk = await newMachine("desk", vars);
    await desk.sync.pull({ to: desk.clone("acme/shop") });
    const there = { RETHREAD_HUB_URL: served.url.replace("127.0.0.1", "localhost") };
    const [movedLaptop, movedDesk] = [
      await laptop.as({ ...vars, ...there }),
      await desk.as({ ...vars, ...there }),
    ];
    await expect(movedDesk.sync.push()).rejects.toMatchObject({ code: "consent-needed" });
    const all = { created: 0, updated: 0, unchanged: 1 };
    expect(await movedDesk.sync.push({ consents: true })).toMatchObject(all);
    expect(await movedDesk.sync.pull()).toMatchObject({ sessions: [{ outcome: "unchanged" }] });
    expect(await movedLaptop.sync.push({ consents: true })).toMatchObject(all);
    // What is noted there holds here.
    laptop.say(ID, "second");
    expect(await movedLaptop.sync.push()).toMatchObject({ updated: 1 });
    expect(await laptop.sync.push()).toMatchObject(all);
    desk.remove();
  });

  it("that is watched for is asked at first, and then believed", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    await laptop.sync.push({ consents: true });
    const asked = (): number => served.received.filter(({ path }) => path === "/api/hub/state").length;
    const before = asked();
    await laptop.sync.push({ trustsRecords: true });
    expect(asked()).toBe(before);
    await lose();
    const stop = new AbortController();
    const reports: number[] = [];
    await laptop.sync.watch(
      {
        onPush({ created }) {
          reports.push(created);
          stop.abort();
        },
      },
      { signal: stop.signal },
    );
    expect(reports).toEqual([1]);
  });
});

it("a hub that goes away in the middle is told of by the sessions that failed, and by no others", async () => {
  let pushes = 0;
  const failing = await serveHub(hub, {
    intercept(path, response) {
      if (path !== "/api/hub/push" || ++pushes === 1) return false;
      response.writeHead(503).end();
      return true;
    },
  });
  const machine = await laptop.as({ RETHREAD_HUB_URL: failing.url });
  for (const id of [ID, OTHER]) machine.session(id, machine.clone("acme/shop"), ["first"]);
  const { created, failed, problems } = await machine.sync.push({ consents: true });
  expect([created, failed, problems.map(({ session }) => session !== undefined)]).toEqual([1, 1, [true]]);
  expect(problems[0]?.message).toBe(`${failing.url} cannot take this now: status 503`);
  await failing.close();
});

describe("a session", () => {
  it("of a machine whose folder was copied is each machine's own, once the copy has an id of its own", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    await laptop.sync.push({ consents: true });
    const vars = { RETHREAD_HUB_URL: served.url, RETHREAD_HUB_TOKEN: robin.token };
    const copy = await newMachine("copy", vars);
    cpSync(laptop.home, copy.home, { recursive: true });
    copy.say(ID, "on the copy");
    const { machine } = await copy.sync.login({ url: served.url, token: robin.token, isNewMachine: true });
    expect([machine.name, machine.id === (await laptop.sync.status()).machine.id]).toEqual(["copy", false]);
    expect(await copy.sync.push()).toMatchObject({ created: 1, updated: 0 });
    laptop.say(ID, "on the laptop");
    expect(await laptop.sync.push()).toMatchObject({ created: 0, updated: 1 });
    for (const each of [copy, laptop])
      expect(await each.sync.push()).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    copy.remove();
  });

  it.each([
    ["before", "/api/hub/state", 2],
    ["between two requests of", "/api/hub/push", 2],
  ])("that is deleted from another machine just %s its push is not sent again", async (_, where, nth) => {
    const id = laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    await laptop.sync.push({ consents: true });
    const { machine } = await laptop.sync.status();
    const desk = await newMachine("desk", { RETHREAD_HUB_URL: served.url, RETHREAD_HUB_TOKEN: robin.token });
    let asked = 0;
    const behind = await serveHub(hub, {
      async intercept(path) {
        if (path === where && ++asked === nth)
          await desk.sync.delete({ sessions: [hubSessionId("copilot-cli", ID, machine.id)] });
        return false;
      },
    });
    const moved = await laptop.as({ RETHREAD_HUB_URL: behind.url });
    // More than go in one request.
    for (let file = 0; file < 501; file++) moved.write(moved.pathOf(id, `files/${file}.txt`), "");
    expect(await moved.sync.push({ consents: true })).toMatchObject({
      ...{ outcome: "partial", failed: 1, created: 0 },
      problems: [{ code: "hub-conflict", message: expect.stringContaining("deleted from the hub") }],
    });
    const left = await people.ask("SELECT 1 FROM hub.sessions WHERE account_id = $1", [robin.account]);
    expect(left).toEqual([]);
    expect(await moved.sync.push()).toMatchObject({ outcome: "clean", takenBack: 1, created: 0 });
    desk.remove();
    await behind.close();
  });

  it("that was deleted from another machine is not sent again, and is once its owner says so", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    laptop.session(OTHER, laptop.clone("acme/shop"), ["other"]);
    await laptop.sync.push({ consents: true });
    const { machine } = await laptop.sync.status();
    const desk = await newMachine("desk", { RETHREAD_HUB_URL: served.url, RETHREAD_HUB_TOKEN: robin.token });
    await desk.sync.delete({ sessions: [hubSessionId("copilot-cli", ID, machine.id)] });
    desk.remove();
    // Nothing tells of what it was.
    expect(
      await people.ask("SELECT * FROM hub.deleted_sessions WHERE account_id = $1", [robin.account]),
    ).toEqual([
      { account_id: robin.account, session_hash: expect.any(Buffer), deleted_at: expect.any(Date) },
    ]);

    laptop.say(ID, "second");
    expect(await laptop.sync.push({ trustsRecords: true })).toMatchObject({
      outcome: "clean",
      takenBack: 1,
      created: 0,
      heldBack: 1,
    });
    expect(await laptop.sync.push()).toMatchObject({ takenBack: 0, created: 0, heldBack: 1, unchanged: 1 });
    expect((await laptop.sync.status()).privates).toEqual([{ source: "copilot-cli", id: ID, mode: "never" }]);

    await laptop.sync.setPrivate({ sessions: [ID], mode: "off" });
    expect(await laptop.sync.push()).toMatchObject({ takenBack: 0, created: 1, unchanged: 1 });
    expect(await laptop.sync.push()).toMatchObject({ takenBack: 0, created: 0, unchanged: 2 });
  });

  it("that is gone and comes back as it was is no longer gone on the hub", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    await laptop.sync.push({ consents: true });
    const [folder, away] = [dirname(laptop.pathOf(ID)), `${laptop.home}/away`];
    const gone = () =>
      people.ask("SELECT vanished_at IS NOT NULL AS is FROM hub.sessions WHERE account_id = $1", [
        robin.account,
      ]);
    renameSync(folder, away);
    expect(await laptop.sync.push()).toMatchObject({ vanished: 1 });
    expect(await gone()).toEqual([{ is: true }]);
    renameSync(away, folder);
    expect(await laptop.sync.push()).toMatchObject({ updated: 1, eventsUploaded: 0 });
    expect(await gone()).toEqual([{ is: false }]);
  });
});
