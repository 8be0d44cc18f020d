/** `rethread sync` and `hub login` as a person runs them, against the server of a hub. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { folderName } from "../../src/sources/claude-code/locate.ts";
import { builtCommand } from "../built.ts";
import { type Ran, runHere } from "../fuzz/in-process.ts";
import { pidLike } from "../lookalike.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { deriveAll } from "./demo-hub.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { type ServedHub, serveHub } from "./served.ts";
import { type Machine, newMachine } from "./syncing-machine.ts";

const ID = "0b1c2d3e-0000-4000-8000-00000000000a";
const OTHER = "0b1c2d3e-0000-4000-8000-00000000000b";
const KEY = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

let hub: TestHub;
let people: People;
let robin: Person;
let served: ServedHub;
let laptop: Machine;
let intercept: ((path: string) => boolean) | undefined;

beforeAll(async () => {
  hub = await newHub();
  people = await peopleOf(hub);
  served = await serveHub(hub, {
    intercept(path, response) {
      if (!intercept?.(path)) return false;
      const error = { code: "too-large", message: "The push is too large", hint: "Push less" };
      response.writeHead(413, { "content-type": "application/json" }).end(JSON.stringify({ error }));
      return true;
    },
  });
});
afterAll(async () => {
  await served.close();
  await people.close();
  await hub.close();
});
beforeEach(async () => {
  intercept = undefined;
  robin = await people.add(`robin-${Math.random()}`);
  laptop = await newMachine("laptop", { RETHREAD_HUB_URL: served.url, RETHREAD_HUB_TOKEN: robin.token });
});
afterEach(() => laptop.remove());

const varsOf = ({ vars, home }: Machine) => ({ ...vars, HOME: home, TZ: "UTC", COLUMNS: "100" });
const rethread = (...words: string[]): Promise<Ran> => runHere(words, varsOf(laptop));
async function json(...words: string[]): Promise<Record<string, unknown>> {
  return JSON.parse((await rethread(...words, "--json")).stdout);
}

describe("sync", () => {
  it("sends nothing before somebody has agreed, and says what to do", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    const { code, stderr, stdout } = await rethread("sync");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    // What it would be asked about is shown all the same.
    expect(stderr).toMatch(/acme\/shop +1 /);
    expect(stderr).toContain("What never leaves");
    expect(stderr).toContain("needs-yes");
    expect(await people.ask("SELECT 1 FROM hub.sessions WHERE account_id = $1", [robin.account])).toEqual([]);
    expect(await json("sync", "status")).toMatchObject({
      pushed: 0,
      rules: [],
      gates: [{ isOpen: true }, { isOpen: true }, { isOpen: false }, { gate: "cloud", isOpen: false }],
    });
  });

  it("says that there is nothing to agree to where no session has a repository", async () => {
    laptop.session(ID, join(laptop.home, "notes"), ["first"]);
    const { code, stderr } = await rethread("sync");
    expect({ code }).toEqual({ code: 2 });
    expect(stderr).toContain("rethread sync allow");
    expect(await json("sync", "--yes")).toMatchObject({ outcome: "clean", created: 0, heldBack: 1 });
    await rethread("sync", "allow", "--folder", "notes");
    expect(await json("sync", "--yes")).toMatchObject({ created: 1, heldBack: 0 });
  });

  it("sends with --yes, reports each number, and sends nothing twice", async () => {
    const folder = laptop.clone("acme/shop");
    laptop.session(ID, folder, [`my key is ${KEY}`]);
    laptop.session(OTHER, folder, ["second"]);
    const { code, stdout } = await rethread("sync", "--yes");
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("created 2, updated 0, eventsUploaded 6 (");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "failed 0, backfillQueued 2, backfillFailed 0, redacted 3.",
    );
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("2 sessions are new there, 6 events sent, 3 secrets");
    expect(stdout).toContain("Redacted: github token ×3");
    expect(stdout).toContain("Allowed from now on: acme/shop");
    expect(await json("sync")).toMatchObject({
      ...{ outcome: "clean", created: 0, eventsUploaded: 0, failed: 0, unchanged: 2 },
      ...{ backfillQueued: 0, backfillFailed: 0, redacted: 0 },
    });
    expect(stdout + JSON.stringify(await json("sync", "status"))).not.toContain(KEY);
  });

  it("allows no more repositories than those of the sessions that were asked for", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    laptop.session(OTHER, laptop.clone("acme/diary"), ["second"]);
    const { stderr } = await rethread("sync", "--repo", "acme/shop");
    expect([stderr.includes("acme/shop"), stderr.includes("acme/diary")]).toEqual([true, false]);
    expect(await json("sync", "--repo", "acme/shop", "--yes")).toMatchObject({
      created: 1,
      allowed: ["acme/shop"],
    });
    expect(await json("sync", "status")).toMatchObject({
      rules: [{ kind: "repository", pattern: "acme/shop", effect: "allow" }],
    });
    expect(await json("sync", "--yes")).toMatchObject({ created: 0, heldBack: 1, unchanged: 1 });
  });

  it("obeys rules however a repository or folder is spelled, and says when one fits nothing", async () => {
    const links = join(laptop.home, "links");
    mkdirSync(links);
    symlinkSync(join(laptop.home, "diary"), join(links, "diary"));
    mkdirSync(join(laptop.home, "diary"));
    laptop.session(ID, laptop.clone("acme/secret-one"), ["first"]);
    laptop.session(OTHER, join(laptop.home, "diary", "november"), ["second"]);
    laptop.session("0b1c2d3e-0000-4000-8000-00000000000c", join(links, "diary"), ["third"]);
    await rethread("sync", "allow", "acme/*", "--folder", "~/**");
    const heldBack = async (): Promise<unknown> => (await json("sync", "--dry-run")).heldBack;
    await rethread("index");
    expect(await heldBack()).toBe(0);
    for (const name of [
      "https://github.com/acme/secret-*",
      "git@github.com:acme/secret-*.git",
      "acme/secret-*/",
    ]) {
      expect(await rethread("sync", "deny", name)).toMatchObject({ code: 0, stderr: "" });
      expect(await heldBack(), name).toBe(1);
      expect((await rethread("sync", "forget", name)).code).toBe(0);
      expect(await heldBack(), name).toBe(0);
    }
    for (const folder of ["~/diar*", "diary/", "links/diary"]) {
      expect((await rethread("sync", "deny", "--folder", folder)).code).toBe(0);
      expect(await heldBack(), folder).toBe(2);
      expect((await rethread("sync", "forget", "--folder", folder)).code).toBe(0);
      expect(await heldBack(), folder).toBe(0);
    }
    expect((await rethread("sync", "deny", "acme/secrt-one")).stderr).toContain(
      "No session here is of acme/secrt-one",
    );
    expect(await json("sync", "deny", join(laptop.home, "diary"))).toMatchObject({
      error: { code: "usage" },
    });
  });

  it("shows with --dry-run what would leave, and what would be redacted in which session", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), [`my key is ${KEY}`]);
    const asked = served.received.length;
    const run = await json("sync", "--dry-run");
    expect(run).toMatchObject({
      redacted: 2,
      redactions: [{ kind: "github token", secrets: 1, places: 2 }],
      sessions: [{ session: { id: ID }, repository: "acme/shop", isSealed: false, redacted: 2 }],
    });
    const { stdout, code } = await rethread("sync", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^github token +1 +2$/m);
    expect(stdout + JSON.stringify(run)).not.toContain(KEY);
    expect(served.received.length).toBe(asked);
  });

  it("tells partial success from success, by its exit code, too, and the next one completes it", async () => {
    const folder = laptop.clone("acme/shop");
    for (const id of [ID, OTHER]) laptop.session(id, folder, ["first"]);
    let pushes = 0;
    intercept = (path) => path === "/api/hub/push" && ++pushes === 2;
    const partial = await rethread("sync", "--yes");
    expect(partial.code).toBe(1);
    expect(partial.stdout).toContain("The push is too large (too-large)");
    expect(partial.stdout).toContain("Partly synced with");
    expect(partial.stdout).toMatch(/created 1, .*failed 1,/);
    expect(await json("sync")).toMatchObject({ outcome: "clean", created: 1, failed: 0, unchanged: 1 });
  });

  it("reports how far it is every 20 sessions", async () => {
    const folder = laptop.clone("acme/shop");
    for (let i = 0; i < 43; i++)
      laptop.session(`0b1c2d3e-0000-4000-8000-${String(i).padStart(12, "0")}`, folder, ["a"]);
    const { stderr, code } = await rethread("sync", "--yes");
    expect({ code, lines: stderr.trim().split("\n") }).toEqual({
      code: 0,
      lines: ["20 of 43 sessions", "40 of 43 sessions", "43 of 43 sessions"],
    });
  });

  it("may be interrupted: what was acknowledged is safe, and the next one continues", async () => {
    const folder = laptop.clone("acme/shop");
    for (let i = 0; i < 30; i++)
      laptop.session(`0b1c2d3e-0000-4000-8000-${String(i).padStart(12, "0")}`, folder, ["a"]);
    const child = spawn(process.execPath, [builtCommand(), "sync", "--yes"], {
      cwd: laptop.home,
      env: varsOf(laptop),
    });
    let [stdout, pushes] = ["", 0];
    child.stdout.on("data", (piece) => {
      stdout += piece;
    });
    intercept = (path) => {
      if (path === "/api/hub/push" && ++pushes === 9) child.kill("SIGINT");
      return false;
    };
    const [code] = await once(child, "close");
    expect({ code }).toEqual({ code: 130 });
    expect(stdout).toContain("Interrupted with");
    expect(stdout).toContain("What was acknowledged is safe; continue with: rethread sync");
    const had = await people.ask("SELECT 1 FROM hub.sessions WHERE account_id = $1", [robin.account]);
    expect(had.length).toBeGreaterThan(0);
    expect(had.length).toBeLessThan(30);
    expect(await json("sync")).toMatchObject({ outcome: "clean", failed: 0 });
    const { n } = (
      await people.ask("SELECT count(*)::int AS n FROM hub.sessions WHERE account_id = $1", [robin.account])
    )[0] ?? { n: 0 };
    expect(n).toBe(30);
  });

  it("keeps running with --watch, sends what changes, and ends by Ctrl-C", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    const child = spawn(process.execPath, [builtCommand(), "sync", "--watch", "--yes", "--json"], {
      cwd: laptop.home,
      env: varsOf(laptop),
    });
    let stdout = "";
    child.stdout.on("data", (piece) => {
      stdout += piece;
    });
    const reports = () =>
      stdout
        .split("\n")
        .slice(0, -1)
        .map((each) => JSON.parse(each));
    await expect.poll(reports, { timeout: 30_000 }).toMatchObject([{ created: 1, outcome: "clean" }]);
    laptop.say(ID, "second");
    await expect
      .poll(reports, { timeout: 30_000 })
      .toMatchObject([{ created: 1 }, { updated: 1, eventsUploaded: 2, schemaVersion: 1 }]);
    child.kill("SIGINT");
    expect((await once(child, "close"))[0]).toBe(0);
  });

  it("refuses options that an action does not look at", async () => {
    for (const words of [
      ["status", "--yes"],
      ["allow", "acme/shop", "--dry-run"],
      ["--pull", "--repo", "x"],
      ["--to", "x"],
    ])
      expect(await json("sync", ...words)).toMatchObject({ error: { code: "usage" } });
  });
});

describe("rules", () => {
  it("let repositories leave, keep them here, seal them, and are taken back", async () => {
    const folder = laptop.clone("acme/shop");
    for (const id of [ID, OTHER]) laptop.session(id, folder, ["first"]);
    await laptop.app.index();
    expect(await json("sync", "allow", "https://github.com/acme/shop.git")).toMatchObject({
      rules: [{ kind: "repository", pattern: "acme/shop", effect: "allow" }],
      waiting: 2,
    });
    expect(await json("sync", "deny", "--session", OTHER)).toMatchObject({
      sessionRules: [{ id: OTHER, effect: "deny" }],
      waiting: 1,
    });
    const sealed = await rethread("sync", "seal", "acme/shop");
    expect(sealed.stderr).toContain("rethread hub key new");
    expect(await json("sync", "--yes")).toMatchObject({
      error: { message: expect.stringContaining("seal") },
    });
    expect(await json("hub", "key", "new")).toMatchObject({
      recipient: expect.stringMatching(/^age1/),
      identity: null,
    });
    expect(await json("sync", "--yes")).toMatchObject({ created: 1, heldBack: 1 });
    const rows = await people.ask("SELECT is_sealed, title FROM hub.sessions WHERE account_id = $1", [
      robin.account,
    ]);
    expect(rows).toMatchObject([{ is_sealed: true }]);
    await json("sync", "forget", "acme/shop", "--session", OTHER);
    expect(await json("sync", "status")).toMatchObject({ rules: [], sessionRules: [] });
    // Who took all rules back did not mean to have them again.
    expect(await json("sync", "--yes")).toMatchObject({ created: 0, heldBack: 2 });
    expect(await json("sync", "allow", "--session", ID)).toMatchObject({ error: { code: "usage" } });
  });
});

describe("sync --delete", () => {
  it("asks, removes all of it from the hub, and does not send it again", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    await json("sync", "--yes");
    expect(await json("sync", "--delete", ID)).toMatchObject({ error: { code: "needs-yes" } });
    expect(await json("sync", "--delete", ID, "--dry-run")).toMatchObject({ deleted: [{ rawFiles: 0 }] });
    const deleted = await json("sync", "--delete", "0b1c2d3e", "--yes");
    expect(deleted).toMatchObject({ deleted: [{ rawFiles: 2, rawEvents: 2, title: "first" }] });
    for (const table of ["sessions", "raw_files", "raw_events"])
      expect(await people.ask(`SELECT 1 FROM hub.${table} WHERE account_id = $1`, [robin.account])).toEqual(
        [],
      );
    expect(await json("sync")).toMatchObject({ created: 0, heldBack: 1 });
    expect(existsSync(laptop.pathOf(ID))).toBe(true);
    expect(await json("sync", "--delete")).toMatchObject({ error: { code: "usage" } });

    await json("sync", "forget", "--session", "0b1c2d3e");
    expect(await json("sync")).toMatchObject({ created: 1, heldBack: 0 });
  });
});

describe("sync share", () => {
  it("shows a repository or a session to the team, lists what is shared, and takes it back", async () => {
    const mate = await people.add(`mate of ${robin.account}`);
    await people.team("platform", robin, mate);
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    await json("sync", "--yes");
    await deriveAll(hub, people, robin);
    const seen = async () => (await hub.db.as(mate, (tx) => tx.query("SELECT id FROM hub.sessions"))).length;
    expect(await json("sync", "share")).toMatchObject({ shares: [] });
    expect((await rethread("sync", "share")).stdout).toContain("You share nothing");
    const planned = {
      team: "platform",
      repository: "acme/shop",
      sessionCount: 1,
      outcome: "planned",
      id: null,
    };
    expect(await json("sync", "share", "acme/shop", "--dry-run")).toMatchObject({ shares: [planned] });
    expect([await seen(), await json("sync", "share")]).toMatchObject([0, { shares: [] }]);
    const shared = await json("sync", "share", "https://github.com/acme/shop.git");
    expect(shared).toMatchObject({
      shares: [{ ...planned, id: expect.any(String), outcome: "shared", changed: 1 }],
    });
    expect(await seen()).toBe(1);
    expect(await json("sync", "share", "ACME/shop")).toMatchObject({ shares: [{ outcome: "unchanged" }] });
    expect((await rethread("sync", "unshare", "acme/shop", "--dry-run")).stdout).toMatch(
      /Would no longer share/,
    );
    expect(await seen()).toBe(1);
    expect(await json("sync", "unshare", "acme/shop")).toMatchObject({
      shares: [{ outcome: "unshared", changed: 1 }],
    });
    expect([await seen(), await json("sync", "share")]).toMatchObject([0, { shares: [] }]);

    // One session, by the name that it has here, or there.
    expect((await rethread("sync", "share", "0b1c2d3e")).stdout).toBe(
      'Shared "first" with the team "platform".\n',
    );
    const { shares } = (await json("sync", "share")) as { shares: { session: string }[] };
    expect([await seen(), shares]).toMatchObject([1, [{ repository: null, sessionCount: 1 }]]);
    expect((await rethread("sync", "share")).stdout).toBe('"first" is shared with the team "platform".\n');

    // A repository that nobody sent anything of, maybe by a slip of the pen.
    const none =
      'acme/shpo with the team "platform". The hub has no session of yours in it yet; the team will see those to come. ';
    const said = async (...words: string[]) => (await rethread(...words)).stdout.replaceAll("\n", " ");
    expect(await said("sync", "share", "acme/shpo", "--dry-run")).toBe(`Would share ${none}`);
    expect(await said("sync", "share", "acme/shpo")).toBe(`Shared ${none}`);
    await json("sync", "unshare", "acme/shpo");

    // With its repository as well: what is taken back says what others still see.
    await json("sync", "share", "acme/shop");
    const own = await json("sync", "unshare", "0b1c2d3e");
    expect(own).toMatchObject({ shares: [{ outcome: "unshared", changed: 0, stillBy: "acme/shop" }] });
    expect(await json("sync", "unshare", "0b1c2d3e")).toMatchObject({
      error: {
        code: "share-not-found",
        message: '"first" is shared with all of acme/shop, and not by itself',
        hint: expect.stringContaining("rethread sync unshare acme/shop"),
      },
    });
    await json("sync", "share", "0b1c2d3e");
    expect((await rethread("sync", "unshare", "0b1c2d3e", "--dry-run")).stdout).toBe(
      'Would share "first" by itself no longer. The team "platform" still sees it with acme/shop.\n',
    );
    expect(await json("sync", "unshare", "acme/shop", "--session", shares[0]?.session ?? "")).toMatchObject({
      shares: [
        { outcome: "unshared", changed: 0 },
        { outcome: "unshared", changed: 1, title: "first", stillBy: null },
      ],
    });
    expect(await seen()).toBe(0);
  });

  it("says that a sealed session is seen and not read", async () => {
    await people.team("platform", robin);
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    await json("hub", "key", "new");
    await json("sync", "seal", "acme/shop");
    await json("sync", "--yes");
    expect(await json("sync", "share", "0b1c2d3e")).toMatchObject({
      shares: [{ isSealed: true, title: "first" }],
    });
    expect((await rethread("sync", "share")).stdout).toMatch(/It is\s+sealed/);
  });

  it("refuses what cannot be shared, before anything is", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    const refused = (code: string, hint: RegExp) => ({ error: { code, hint: expect.stringMatching(hint) } });
    expect(await json("sync", "share", "acme/shop")).toMatchObject(refused("team-not-found", /admin/));
    await people.team("one", robin);
    await people.team("two", robin);
    expect(await json("sync", "share", "acme/shop")).toMatchObject(refused("usage", /--team/));
    expect(await json("sync", "share", "acme/shop", ID, "--team", "one")).toMatchObject(
      refused("session-not-found", /rethread sync$/),
    );
    expect(await json("sync", "share")).toMatchObject({ shares: [] });
    expect(await json("sync", "share", "acme/shop", "--team", "three")).toMatchObject(
      refused("team-not-found", /./),
    );
    expect(await json("sync", "share", "acme/*", "--team", "one")).toMatchObject(
      refused("usage", /full name/),
    );
    await json("sync", "share", "acme/shop", "--team", "one");
    expect(await json("sync", "share", "acme/new", "acme/shop", "--team", "two")).toMatchObject(
      refused("share-exists", /unshare/),
    );
    expect((await json("sync", "share")).shares).toHaveLength(1);
    expect(await json("sync", "unshare", "acme/shop", "--team", "two")).toMatchObject(
      refused("share-not-found", /rethread sync share/),
    );
    expect(await json("sync", "unshare", "acme/other")).toMatchObject(refused("share-not-found", /./));
    expect(await json("sync", "unshare")).toMatchObject(refused("usage", /./));
    expect((await rethread("sync", "share", "acme/shop", "--yes")).code).toBe(2);
  });
});

describe("sync --pull", () => {
  it("brings sessions of the other machine into the clone that is here, once", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first", "second"]);
    await json("sync", "--yes");
    const other = await newMachine("other", {
      RETHREAD_HUB_URL: served.url,
      RETHREAD_HUB_TOKEN: robin.token,
    });
    try {
      const here = other.clone("acme/shop", join(other.home, "elsewhere"));
      rmSync(join(laptop.home, "work"), { recursive: true });
      const pull = async (at: string, ...words: string[]) =>
        JSON.parse((await runHere(["sync", "--pull", ...words, "--json"], varsOf(other), at)).stdout);
      // Where no clone is known, it says so, and that is no failure of those who asked for all.
      expect(await pull(other.home)).toMatchObject({
        outcome: "clean",
        sessions: [
          {
            outcome: "left-out",
            problem: {
              code: "workspace-missing",
              hint: expect.stringMatching(
                /^Run `rethread sync --pull` in a clone of it, or .* --to <folder>$/,
              ),
            },
          },
        ],
      });
      expect(await pull(other.home, ID)).toMatchObject({ outcome: "partial" });
      expect(await pull(here, "--dry-run")).toMatchObject({ sessions: [{ outcome: "planned" }] });
      expect(existsSync(other.pathOf(ID))).toBe(false);
      const pulled = await pull(here);
      expect(pulled).toMatchObject({
        outcome: "clean",
        sessions: [
          {
            ...{
              outcome: "pulled",
              machine: expect.any(String),
              folder: here,
              session: { id: ID },
              isCopy: false,
            },
            resume: expect.stringContaining(`cd ${here}`),
          },
        ],
      });
      expect(other.log(ID)).toContain("second");
      expect(await pull(here)).toMatchObject({ sessions: [{ outcome: "unchanged" }] });
      const undone = await runHere(["undo", pulled.sessions[0].operation, "--yes"], varsOf(other), here);
      expect({ code: undone.code, isThere: existsSync(other.pathOf(ID)) }).toEqual({
        code: 0,
        isThere: false,
      });
      expect(await pull(here, "nothing-like-it")).toMatchObject({ error: { code: "session-not-found" } });
    } finally {
      other.remove();
    }
  });

  it("updates in its place what merely went on over there, and copies only what both machines changed", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["first"]);
    const folder = dirname(laptop.pathOf(ID));
    laptop.write(join(folder, "checkpoints/001-a.md"), "one");
    laptop.write(join(folder, "checkpoints/002-b.md"), "two");
    await json("sync", "--yes");
    const other = await newMachine("other", {
      RETHREAD_HUB_URL: served.url,
      RETHREAD_HUB_TOKEN: robin.token,
    });
    try {
      const here = other.clone("acme/shop", join(other.home, "elsewhere"));
      const second = other.clone("acme/shop", join(other.home, "second"));
      const run = async (...words: string[]) =>
        JSON.parse((await runHere([...words, "--json"], varsOf(other), second)).stdout);
      const pull = async (...words: string[]) => (await run("sync", "--pull", ...words)).sessions[0];
      expect(await pull("--to", here)).toMatchObject({ outcome: "pulled", isUpdate: false });
      const own = (name: string): string => join(dirname(other.pathOf(ID)), name);
      const asPulled = other.log(ID);
      other.write(own("session.db"), "kept here");

      laptop.say(ID, "second");
      rmSync(join(folder, "checkpoints/002-b.md"));
      laptop.write(join(folder, "checkpoints/001-a.md"), "one, and more");
      laptop.write(join(folder, "files/deep/new.md"), "new");
      await json("sync");
      expect(await pull("--dry-run")).toMatchObject({ outcome: "planned", isUpdate: true, isCopy: false });
      expect(other.log(ID)).toBe(asPulled);
      // Its program would not notice.
      const lock = own(`inuse.${pidLike("copilot")}.lock`);
      other.write(lock, `${pidLike("copilot")}\n`);
      expect(await pull()).toMatchObject({ outcome: "left-out", problem: { code: "session-busy" } });
      expect(other.log(ID)).toBe(asPulled);
      rmSync(lock);
      const updated = await pull();
      // Where it is about stays, wherever the command runs.
      expect(updated).toMatchObject({
        outcome: "pulled",
        isUpdate: true,
        isCopy: false,
        folder: here,
        session: { id: ID },
      });
      expect(other.log(ID)).toContain("second");
      expect(other.log(ID)).toContain(here);
      expect(readFileSync(own("checkpoints/001-a.md"), "utf8")).toBe("one, and more");
      expect(readFileSync(own("files/deep/new.md"), "utf8")).toBe("new");
      expect([existsSync(own("checkpoints/002-b.md")), existsSync(own("session.db"))]).toEqual([false, true]);
      expect((await run("list")).sessions).toMatchObject([{ id: ID, turns: 2, problems: 0 }]);
      expect(await pull()).toMatchObject({ outcome: "unchanged" });
      expect(await run("sync", "--yes")).toMatchObject({ created: 0, updated: 0 });

      await run("undo", updated.operation, "--yes");
      expect(other.log(ID)).toBe(asPulled);
      expect(readFileSync(own("checkpoints/002-b.md"), "utf8")).toBe("two");
      expect(existsSync(own("files"))).toBe(false);

      // Both go on: what is here stays, and the other comes beside it; that copy then goes on as well.
      other.say(ID, "of this machine");
      const mine = other.log(ID);
      laptop.say(ID, "third");
      await json("sync");
      const copy = await pull();
      expect(copy).toMatchObject({ outcome: "pulled", isUpdate: false, isCopy: true });
      laptop.say(ID, "fourth");
      await json("sync");
      const copied = await pull();
      expect(copied).toMatchObject({ outcome: "pulled", isUpdate: true, session: { id: copy.session.id } });
      expect(other.log(copy.session.id)).toContain("fourth");
      expect(other.log(copy.session.id)).not.toContain(ID);
      expect(other.log(ID)).toBe(mine);
      expect((await run("list")).sessions).toHaveLength(2);
    } finally {
      other.remove();
    }
  });

  it("brings a chat of VS Code into the workspace of the clone, where VS Code lists it", async () => {
    const where = ["--source", "vscode", "--repo", "lumen-shop/storefront", "--demo"];
    const { sessions } = (await json("list", ...where)) as { sessions: { id: string; title: string }[] };
    const [chat] = sessions;
    expect(await json("sync", `vscode:${chat?.id}`, "--yes", "--demo")).toMatchObject({ created: 1 });
    const other = await newMachine("other", {
      RETHREAD_HUB_URL: served.url,
      RETHREAD_HUB_TOKEN: robin.token,
    });
    try {
      const here = other.clone("lumen-shop/storefront");
      const run = async (...words: string[]) =>
        JSON.parse((await runHere([...words, "--json"], varsOf(other), here)).stdout);
      expect(await run("sync", "--pull")).toMatchObject({
        outcome: "clean",
        sessions: [{ outcome: "pulled", folder: here, session: { source: "vscode", id: chat?.id } }],
      });
      expect(await run("list")).toMatchObject({
        sessions: [{ id: chat?.id, title: chat?.title, workspace: here, problems: 0 }],
      });
      await json("rename", `vscode:${chat?.id}`, "A new name over there", "--yes", "--demo");
      await json("sync", `vscode:${chat?.id}`, "--demo");
      const updated = await run("sync", "--pull");
      expect(updated).toMatchObject({ sessions: [{ outcome: "pulled", isUpdate: true, isCopy: false }] });
      expect(await run("list")).toMatchObject({
        sessions: [{ id: chat?.id, title: "A new name over there", workspace: here, problems: 0 }],
      });
      await run("undo", updated.sessions[0].operation, "--yes");
      expect(await run("list")).toMatchObject({
        sessions: [{ id: chat?.id, title: chat?.title, problems: 0 }],
      });
    } finally {
      other.remove();
    }
  });

  it("brings a session of Claude Code into the clone that is here, with what lies beside it", async () => {
    const folder = laptop.clone("acme/shop");
    const row = (uuid: string, content: string) => ({
      ...{ type: "user", uuid, parentUuid: null, sessionId: ID, cwd: folder, version: "2.0.0" },
      ...{ timestamp: "2026-11-14T10:00:00.000Z", isSidechain: false, userType: "external" },
      message: { role: "user", content },
    });
    const project = join(laptop.home, ".claude/projects", folderName(folder));
    laptop.write(join(project, `${ID}.jsonl`), `${JSON.stringify(row(ID, "first"))}\n`);
    laptop.write(join(project, ID, "tool-results/a.txt"), "an output\n");
    expect(await json("sync", "--yes")).toMatchObject({ created: 1 });
    const other = await newMachine("other", {
      RETHREAD_HUB_URL: served.url,
      RETHREAD_HUB_TOKEN: robin.token,
    });
    try {
      const here = other.clone("acme/shop", join(other.home, "elsewhere"));
      rmSync(join(laptop.home, "work"), { recursive: true });
      const pull = async (...words: string[]) =>
        JSON.parse((await runHere(["sync", "--pull", ...words, "--json"], varsOf(other), here)).stdout);
      expect(await pull()).toMatchObject({
        outcome: "clean",
        sessions: [
          {
            ...{ outcome: "pulled", folder: here, session: { source: "claude-code", id: ID }, isCopy: false },
            resume: expect.stringContaining(`claude --resume ${ID}`),
          },
        ],
      });
      const there = join(other.home, ".claude/projects", folderName(here));
      const pulled = JSON.parse(readFileSync(join(there, `${ID}.jsonl`), "utf8"));
      expect(pulled).toMatchObject({ cwd: here, message: { content: "first" } });
      expect(readFileSync(join(there, ID, "tool-results/a.txt"), "utf8")).toBe("an output\n");
      expect(await pull()).toMatchObject({ sessions: [{ outcome: "unchanged" }] });
      const next = { ...row("0b1c2d3e-0000-4000-8000-00000000a002", "second"), parentUuid: ID };
      appendFileSync(join(project, `${ID}.jsonl`), `${JSON.stringify(next)}\n`);
      laptop.write(join(project, ID, "tool-results/b.txt"), "another\n");
      await json("sync");
      const updated = await pull();
      expect(updated).toMatchObject({ sessions: [{ outcome: "pulled", isUpdate: true, folder: here }] });
      const rows = readFileSync(join(there, `${ID}.jsonl`), "utf8")
        .trim()
        .split("\n");
      expect(rows.map((each) => JSON.parse(each))).toMatchObject([
        { cwd: here },
        { cwd: here, parentUuid: ID },
      ]);
      expect(readFileSync(join(there, ID, "tool-results/b.txt"), "utf8")).toBe("another\n");
      await runHere(["undo", updated.sessions[0].operation, "--yes"], varsOf(other), here);
      expect(readFileSync(join(there, `${ID}.jsonl`), "utf8")).toBe(`${rows[0]}\n`);
      expect(existsSync(join(there, ID, "tool-results/b.txt"))).toBe(false);
    } finally {
      other.remove();
    }
  });

  it("says of sessions that cannot be brought that they stay on the hub", async () => {
    const folder = laptop.clone("acme/shop");
    const id = "01a1eec5-30aa-7161-b425-4271ec347d40";
    const log = `sessions/2026/11/18/rollout-2026-11-18T13-07-39-${id}.jsonl`;
    const text = readFileSync(join(import.meta.dirname, "../fixtures/codex/forked/home", log), "utf8");
    laptop.write(join(laptop.home, ".codex", log), text.replaceAll("/home/ada/shop", folder));
    expect(await json("sync", "--yes")).toMatchObject({ created: 1 });
    const other = await newMachine("other", {
      RETHREAD_HUB_URL: served.url,
      RETHREAD_HUB_TOKEN: robin.token,
    });
    try {
      const { stdout, code } = await runHere(["sync", "--pull"], varsOf(other));
      expect(code).toBe(0);
      expect(stdout).toContain("can be searched on the hub, but not brought here yet");
      expect((await runHere(["sync", "--pull", id], varsOf(other))).code).toBe(1);
    } finally {
      other.remove();
    }
  });
});

describe("--hub", () => {
  it("asks the hub with the filters of the command, and says whose each hit is", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["the flaky login"]);
    laptop.session(OTHER, laptop.clone("acme/other"), ["another flaky login"]);
    await json("sync", "--yes");
    await deriveAll(hub, people, robin);
    const { machine } = await laptop.sync.status();
    const name = `copilot-cli:${ID}@${machine.id.slice(0, 8)}`;
    const answer = await json(
      "search",
      "--hub",
      "flaky",
      "login",
      "--repo",
      "acme/shop",
      "--since",
      "2026-01-01",
    );
    expect(answer).toMatchObject({ from: "hub", hub: served.url, partial: false, next: null });
    const hits = answer.hits as { session: { id: string }; person: string; hubSession: string }[];
    expect(hits.length).toBeGreaterThan(0);
    for (const hit of hits)
      expect(hit).toMatchObject({ session: { id: ID }, person: robin.name, hubSession: name });
    const { stdout } = await rethread("search", "--hub", "flaky", "--person", robin.name);
    expect(stdout).toContain(`copilot-cli · ${robin.name}`);
    expect(stdout).toContain(`${served.url}/s/${encodeURIComponent(name)}`);
    expect(stdout).toMatch(/hits? in 2 sessions on the hub http/);
    expect(stdout).not.toContain("rethread show");
    expect(await json("search", "--hub", "flaky", "--person", "nobody")).toMatchObject({ hits: [] });
    expect(await json("search", "--hub", "flaky", "--tag", "x")).toMatchObject({ error: { code: "usage" } });
    expect(await json("search", "flaky", "--team", "x")).toMatchObject({ error: { code: "usage" } });
  });

  it("runs SQL on the tables of the local store, of what the token may see", async () => {
    laptop.session(ID, laptop.clone("acme/shop"), ["the flaky login"]);
    await json("sync", "--yes");
    await deriveAll(hub, people, robin);
    const query = "SELECT repository, turns FROM session_overview";
    const { columns, rows } = await json("sql", query);
    expect(await json("sql", "--hub", query)).toMatchObject({ from: "hub", hub: served.url, columns, rows });
    const { stdout, stderr } = await rethread("sql", "--hub", query, "--csv");
    expect(stdout).toBe("repository,turns\r\nacme/shop,1\r\n");
    expect(stderr).toBe(`Rows of the hub ${served.url}\n`);
    expect(await json("sql", "--hub", "--schema")).toMatchObject({ from: "hub", views: expect.any(Array) });
    expect(await json("sql", "--hub", "DELETE FROM sessions")).toMatchObject({
      error: { code: expect.stringMatching(/^sql-/) },
    });
  });
});

describe("hub login", () => {
  /** With something on its input, which the process of the tests cannot have. */
  const typed = (words: readonly string[], input: string, vars: Readonly<Record<string, string>> = {}) =>
    new Promise<Ran>((resolve) => {
      const {
        RETHREAD_HUB_URL: _,
        RETHREAD_HUB_TOKEN: __,
        ...own
      } = varsOf(laptop) as Record<string, string>;
      const child = spawn(process.execPath, [builtCommand(), ...words], {
        cwd: laptop.home,
        env: { ...own, ...vars },
      });
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (piece) => (stdout += piece));
      child.stderr.on("data", (piece) => (stderr += piece));
      child.on("close", (code) => resolve({ code: code ?? -1, stdout, stderr }));
      child.stdin.end(input);
    });

  it("takes the token from stdin, keeps it for its owner alone, and forgets it", async () => {
    const nobody = await typed(["hub", "whoami"], "");
    expect(nobody.stderr).toContain("rethread hub login");
    expect((await typed(["hub", "login", served.url], "")).code).toBe(2);
    expect(
      (await typed(["hub", "login", served.url], `rth_${"0".repeat(32)}_${"x".repeat(43)}\n`)).code,
    ).not.toBe(0);
    const { code, stdout, stderr } = await typed(["hub", "login", served.url], `${robin.token}\n`);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain(`as ${robin.name} (push, read)`);
    const kept = join(laptop.dataHome, "hub.json");
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(readFileSync(kept, "utf8")).toContain(robin.token);
    const me = JSON.parse((await typed(["hub", "whoami", "--json"], "")).stdout);
    expect(me).toMatchObject({
      user: robin.name,
      hub: served.url,
      from: "file",
      machine: { name: expect.any(String) },
    });
    await typed(["hub", "logout"], "");
    expect(existsSync(kept)).toBe(false);
  });

  it("refuses addresses on which others could listen", async () => {
    const { code, stderr } = await typed(["hub", "login", "http://hub.example.com"], robin.token);
    expect({ code }).toEqual({ code: 2 });
    expect(stderr).toContain("--insecure");
  });

  it("imports a key from stdin, and shows it only when asked", async () => {
    const made = JSON.parse((await typed(["hub", "key", "new", "--json"], "")).stdout);
    const shown = await typed(["hub", "key", "show"], "");
    expect(shown.stdout).toMatch(/^AGE-SECRET-KEY-/);
    expect(JSON.stringify(made)).not.toContain("AGE-SECRET-KEY");
    rmSync(join(laptop.dataHome, "hub-identity.txt"));
    const imported = JSON.parse((await typed(["hub", "key", "import", "--json"], shown.stdout)).stdout);
    expect(imported).toEqual({ ...made, identity: null });
    expect((await typed(["hub", "key", "import"], "no key")).code).not.toBe(0);
  });
});
