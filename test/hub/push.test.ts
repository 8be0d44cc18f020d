/** Pushing sessions to a hub: what arrives is what is here, redacted, each byte once. */
import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { decodePush } from "../../src/hub/ingest/frame.ts";
import { readRawFiles } from "../../src/hub/ingest/raw.ts";
import { hubSessionId } from "../../src/hub/protocol.ts";
import { createRandom } from "../leaks/random.ts";
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
});
afterAll(async () => {
  await people.close();
  await hub.close();
});
beforeEach(async () => {
  robin = await people.add(`robin-${Math.random()}`);
  served = await serveHub(hub);
  laptop = await newMachine("laptop", { RETHREAD_HUB_URL: served.url, RETHREAD_HUB_TOKEN: robin.token });
});
afterEach(async () => {
  await served.close();
  laptop.remove();
});

/** What the hub has of a session, file by file. */
async function stored(id: string, source = "copilot-cli"): Promise<Record<string, string>> {
  const { machine } = await laptop.sync.status();
  const files: Record<string, string> = {};
  for await (const { file, bodies } of readRawFiles(hub.db, robin, hubSessionId(source, id, machine.id))) {
    const text = bodies.map(({ body }) => zstdDecompressSync(body).toString("utf8")).join("");
    files[file.path] = (files[file.path] ?? "") + text;
    if (Buffer.byteLength(files[file.path] ?? "") === file.size)
      expect(
        createHash("sha256")
          .update(files[file.path] ?? "")
          .digest("hex"),
      ).toBe(file.sha256);
  }
  return files;
}

describe("a push", () => {
  it("brings the files of a session to the hub as they are, and only what is new the next time", async () => {
    const folder = laptop.clone("acme/shop");
    laptop.session(ID, folder, ["first", "second"]);
    const report = await laptop.sync.push({ consents: true });
    expect(report).toMatchObject({ outcome: "clean", created: 1, updated: 0, failed: 0, unchanged: 0 });
    expect(report).toMatchObject({ eventsUploaded: 5, backfillQueued: 1, backfillFailed: 0, problems: [] });
    expect((await stored(ID))[`session-state/${ID}/events.jsonl`]).toBe(laptop.log(ID));
    expect(await laptop.sync.push()).toMatchObject({
      outcome: "clean",
      created: 0,
      updated: 0,
      unchanged: 1,
    });

    const before = statSync(laptop.pathOf(ID)).size;
    laptop.say(ID, "third");
    const pushes = served.received.length;
    expect(await laptop.sync.push()).toMatchObject({ updated: 1, eventsUploaded: 2 });
    const sent = served.received.slice(pushes).filter(({ path }) => path === "/api/hub/push");
    const files = sent.flatMap(({ body }) => decodePush(body).header.files);
    expect(files.map(({ path, generation }) => [path, generation])).toEqual([
      [`session-state/${ID}/events.jsonl`, 0],
    ]);
    expect(files[0]?.pieces[0]?.start).toBe(before);
    expect((await stored(ID))[`session-state/${ID}/events.jsonl`]).toBe(laptop.log(ID));
  });

  it("begins a new generation where a log was rewound, and tells of files that are gone", async () => {
    const folder = laptop.clone("acme/shop");
    laptop.session(ID, folder, ["first", "second"]);
    laptop.write(laptop.pathOf(ID, "plan.md"), "# A plan\n");
    await laptop.sync.push({ consents: true });
    const first = laptop.log(ID).split("\n").slice(0, 3).join("\n").length + 1;
    truncateSync(laptop.pathOf(ID), first);
    rmSync(laptop.pathOf(ID, "plan.md"));
    laptop.say(ID, "another second");
    expect(await laptop.sync.push()).toMatchObject({ outcome: "clean", updated: 1 });
    const files = await stored(ID);
    expect(Object.keys(files).sort()).toEqual([
      `session-state/${ID}/events.jsonl`,
      `session-state/${ID}/workspace.yaml`,
    ]);
    expect(files[`session-state/${ID}/events.jsonl`]).toBe(laptop.log(ID));
  });

  it("sends a log in pieces and requests of at most 1 MiB", async () => {
    const folder = laptop.clone("acme/shop");
    // Seeded: among millions of random characters some look like a secret one day, and are redacted.
    const random = createRandom(1);
    const noise = Array.from({ length: 8 }, () =>
      Array.from({ length: 24_000 }, () => random.below(2 ** 53).toString(36)).join(" "),
    );
    laptop.session(ID, folder, noise);
    const report = await laptop.sync.push({ consents: true });
    expect(report).toMatchObject({ outcome: "clean", created: 1, eventsUploaded: 1 + 2 * noise.length });
    const pushes = served.received.filter(({ path }) => path === "/api/hub/push");
    const pieces = pushes.flatMap(({ body }) => decodePush(body).header.files.flatMap((file) => file.pieces));
    expect([pushes.length > 2, pieces.length > 4]).toEqual([true, true]);
    for (const { body } of pushes) expect(body.length).toBeLessThanOrEqual(1 << 20);
    for (const { bytes } of pieces) expect(bytes).toBeLessThanOrEqual(1 << 20);
    const text = (await stored(ID))[`session-state/${ID}/events.jsonl`] ?? "";
    expect(text.length).toBe(laptop.log(ID).length);
    expect(text === laptop.log(ID)).toBe(true);
  });

  it("does not send a line that is still being written", async () => {
    const folder = laptop.clone("acme/shop");
    laptop.session(ID, folder, ["first"]);
    const whole = laptop.log(ID);
    laptop.write(laptop.pathOf(ID), `${whole}{"type":"user.message","data":{"content":"my token is ghp_abc`);
    await laptop.sync.push({ consents: true });
    expect((await stored(ID))[`session-state/${ID}/events.jsonl`]).toBe(whole);
  });

  it("leaves out databases and what is not text, and names them", async () => {
    const folder = laptop.clone("acme/shop");
    laptop.session(ID, folder, ["first"]);
    laptop.write(laptop.pathOf(ID, "files/shot.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]));
    laptop.write(laptop.pathOf(ID, "session.db"), "SQLite format 3");
    const report = await laptop.sync.push({ consents: true });
    expect(report.outcome).toBe("clean");
    expect(
      report.leftOut.map(({ path, why }) => [path.slice(path.lastIndexOf("/") + 1), why]).sort(),
    ).toEqual([
      ["session.db", "is a database"],
      ["shot.png", "is not text"],
    ]);
    expect(Object.keys(await stored(ID))).not.toContain(`session-state/${ID}/files/shot.png`);
  });

  it("tells the hub that a session is gone here, once", async () => {
    const folder = laptop.clone("acme/shop");
    laptop.session(ID, folder, ["first"]);
    laptop.session(OTHER, folder, ["other"]);
    await laptop.sync.push({ consents: true });
    rmSync(laptop.pathOf(ID, "."), { recursive: true });
    expect(await laptop.sync.push()).toMatchObject({ outcome: "clean", vanished: 1, unchanged: 1 });
    const [row] = await people.ask(
      "SELECT vanished_at FROM hub.sessions WHERE account_id = $1 AND vendor_id = $2",
      [robin.account, ID],
    );
    expect(row?.vanished_at).toMatch(/^2026/);
    expect(await laptop.sync.push()).toMatchObject({ vanished: 0, unchanged: 2 });
    expect(Object.keys(await stored(ID))).toHaveLength(2);
  });
});

describe("what may leave", () => {
  it("is nothing before somebody agreed", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    await expect(laptop.sync.push()).rejects.toMatchObject({ code: "consent-needed" });
    expect(served.connections()).toBe(0);
  });

  it("is what repositories are allowed; others are not even read", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    laptop.session(OTHER, laptop.clone("acme/keys"), ["other"]);
    await laptop.sync.setRules({ effect: "allow", repositories: ["acme/s*"] });
    expect(await laptop.sync.push({ consents: true })).toMatchObject({ created: 1, heldBack: 1 });
    expect(Object.keys(await stored(ID))).toHaveLength(2);
    await expect(stored(OTHER)).rejects.toMatchObject({ code: "session-not-found" });
  });

  it("with consent and without rules is every repository that was listed, and no session without one", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    laptop.session(OTHER, laptop.home, ["other"]);
    expect(await laptop.sync.push({ consents: true })).toMatchObject({ created: 1, heldBack: 1 });
    expect((await laptop.sync.status()).rules).toEqual([
      { kind: "repository", pattern: "acme/shop", effect: "allow" },
    ]);
  });

  it("is what was listed also when something had been denied before, and that stays here", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    laptop.session(OTHER, laptop.clone("acme/keys"), ["other"]);
    await laptop.sync.setRules({ effect: "deny", repositories: ["acme/keys"] });
    expect((await laptop.sync.preview()).sessions).toMatchObject([{ id: ID }]);
    expect(await laptop.sync.push({ consents: true })).toMatchObject({
      ...{ created: 1, heldBack: 1, allowed: ["acme/shop"] },
    });
    await laptop.sync.setRules({ effect: "off", repositories: ["acme/shop"] });
    // Who took that back did not mean to have it again, and is not told that it would leave.
    laptop.say(ID, "more");
    expect((await laptop.sync.preview()).sessions).toEqual([]);
    expect(await laptop.sync.push({ consents: true })).toMatchObject({ created: 0, updated: 0, allowed: [] });
  });

  it("shows each gate", async () => {
    const gates = async () =>
      Object.fromEntries((await laptop.sync.status()).gates.map(({ gate, isOpen }) => [gate, isOpen]));
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    expect(await gates()).toEqual({ store: false, indexing: false, repositories: false, cloud: false });
    await laptop.app.index();
    expect(await gates()).toEqual({ store: true, indexing: true, repositories: false, cloud: false });
    await laptop.sync.setRules({ effect: "allow", repositories: ["acme/shop"] });
    expect(await gates()).toEqual({ store: true, indexing: true, repositories: true, cloud: false });
    await laptop.sync.push({ consents: true });
    expect(await gates()).toEqual({ store: true, indexing: true, repositories: true, cloud: true });
  });

  it("is no private session", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    await laptop.sync.setPrivate({ sessions: [ID], mode: "never" });
    expect(await laptop.sync.push({ consents: true })).toMatchObject({ created: 0, heldBack: 1 });
    await laptop.sync.setPrivate({ sessions: [ID], mode: "off" });
    // Nothing was listed, so nothing was agreed to.
    await expect(laptop.sync.push()).rejects.toMatchObject({ code: "consent-needed" });
    await laptop.sync.setRules({ effect: "allow", repositories: ["acme/*"] });
    expect(await laptop.sync.push({ consents: true })).toMatchObject({ created: 1, heldBack: 0 });
  });

  it("can be seen before, without any connection", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["my key is ghp_0123456789abcdefghijABCDEFGHIJ012345"]);
    const { sessions, redacted } = await laptop.sync.preview();
    expect(sessions).toMatchObject([{ id: ID, repository: "acme/shop", files: 2 }]);
    expect(sessions[0]?.bytes).toBeGreaterThan(100);
    expect(redacted.length).toBe(1);
    expect(JSON.stringify(sessions)).not.toContain("ghp_0123");
    expect(served.connections()).toBe(0);
    await laptop.sync.push({ consents: true });
    laptop.say(ID, "more");
    const next = await laptop.sync.preview();
    expect(next.sessions[0]?.bytes).toBeLessThan(sessions[0]?.bytes ?? 0);
  });
});

describe("deleting from the hub", () => {
  it("removes all of a session, says how much, and does not send it again", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    await laptop.sync.push({ consents: true });
    const [deleted] = await laptop.sync.delete({ sessions: [ID] });
    expect(deleted).toMatchObject({ rawFiles: 2, rawEvents: 2 });
    await expect(stored(ID)).rejects.toMatchObject({ code: "session-not-found" });
    laptop.say(ID, "more");
    expect(await laptop.sync.push()).toMatchObject({ created: 0, heldBack: 1 });
    expect(readFileSync(laptop.pathOf(ID), "utf8")).toContain("more");
  });

  it("follows a local delete where the settings say so, also when the hub was away, and undo is as before", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    await laptop.sync.push({ consents: true });
    await laptop.app.setSetting("syncDeletes", "true");
    const remove = async () => {
      const edit = await laptop.app.edit();
      const { fingerprint } = await edit.planDelete(ID);
      return edit.apply(fingerprint);
    };
    const { notices } = await remove();
    expect(notices).toEqual([]);
    await expect(stored(ID)).rejects.toMatchObject({ code: "session-not-found" });
    const edit = await laptop.app.edit();
    await edit.apply((await edit.planUndo()).fingerprint);
    expect(await laptop.sync.push()).toMatchObject({ created: 1 });

    const { port } = served;
    await served.close();
    expect((await remove()).notices[0]).toContain("the next sync tells it");
    served = await serveHub(hub, { port });
    expect(Object.keys(await stored(ID))).toHaveLength(2);
    expect(await laptop.sync.push()).toMatchObject({ deleted: 1 });
    await expect(stored(ID)).rejects.toMatchObject({ code: "session-not-found" });
  });
});
