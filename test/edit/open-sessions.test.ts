/** Sessions that their program has open without a lock: it will write to them, so nothing may change below it. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProcessLook, type ProcessLook } from "../../src/platform/process/process-look.ts";
import { pidLike, startLookalike } from "../lookalike.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";

let home: EditHome;
beforeEach(() => {
  home = createEditHome();
});
afterEach(() => home.remove());

const start = (name: string, words: readonly string[], copilotHome = home.copilot) =>
  startLookalike(name, words, { env: { PATH: process.env.PATH, COPILOT_HOME: copilotHome } });
const owner = async (look: ProcessLook = createProcessLook()): Promise<number | undefined> => {
  const session = { source: "copilot-cli", id: ID, path: home.file("events.jsonl") } as const;
  return (await home.catalog.owners([session], look)).get(session.path);
};

describe.runIf(process.platform === "linux")("a session that is open but not locked", () => {
  it.each([
    ["by its id", ["--resume", ID]],
    ["in one word", [`--resume=${ID}`]],
    ["by the start of its id", ["-p", "hi", "-r", ID.slice(0, 9).toUpperCase()]],
    ["by its name", ["--resume", 'say "one"\nand more']],
    ["as a new one", ["--session-id", ID]],
  ])("is found by the command line: %s", async (_, words) => {
    const program = start("/opt/copilot", words);
    expect(await owner()).toBe(program.pid);
    await program.end();
    expect(await owner()).toBeUndefined();
  });

  it.each<[string, string, readonly string[]]>([
    ["a search for it", "grep", ["-r", ID, "--resume", ID]],
    ["an editor on its log", "vim", [join("session-state", ID, "events.jsonl")]],
    ["a shell that will start it", "bash", ["-c", `copilot --resume ${ID}`]],
    ["rethread", "node", ["/usr/bin/rethread", "chat", "--resume", ID]],
    ["its program on another session", "copilot", ["--resume", ID.replace("1111", "2222")]],
    ["its program on whatever was last", "copilot", ["--continue", "--resume"]],
    ["a start that is too short for its program", "copilot", ["--resume", ID.slice(0, 6)]],
  ])("is not mistaken: %s", async (_, name, words) => {
    const other = start(name, words);
    expect(await owner()).toBeUndefined();
    await other.end();
  });

  it("is another one when its program has another home", async () => {
    const elsewhere = start("copilot", ["--resume", ID], join(home.copilot, "other"));
    expect(await owner()).toBeUndefined();
    await elsewhere.end();
  });

  it("is found by what its program notes of itself, until that has closed it", async () => {
    const logs = join(home.copilot, "logs");
    mkdirSync(logs);
    const program = start("copilot", ["--continue"]);
    const log = join(logs, `process-1794833536742-${program.pid}.log`);
    const look: ProcessLook = {
      ...createProcessLook(),
      openPaths: (pid) => (pid === program.pid ? [log] : []),
    };
    writeFileSync(log, `2026-11-16T12:52:16.829Z [INFO] Workspace initialized: ${ID} (checkpoints: 0)\n`);
    expect(await owner(look)).toBe(program.pid);
    writeFileSync(log, `2026-11-16T12:53:16.829Z [INFO] Closing session ${ID}\n`, { flag: "a" });
    expect(await owner(look)).toBeUndefined();
    await program.end();
  });

  it("is found by a folder or file of it that its program has open", async () => {
    const program = startLookalike("copilot", [], { cwd: home.file("files") });
    expect(await owner()).toBe(program.pid);
    await program.end();
  });

  it("is neither changed nor taken away; once its program has ended, it can be", async () => {
    const program = start("copilot", ["--resume", ID]);
    const before = lookAtAll(home.copilot);
    const plan = await home.edit().planDelete(ID);
    await expect(home.edit().apply(plan)).rejects.toMatchObject({
      code: "session-busy",
      message: expect.stringContaining(`process ${program.pid}`),
    });
    expect(lookAtAll(home.copilot)).toEqual(before);
    await program.end();
    await home.edit().apply(plan);
  });
});

describe("locks that the user knows to be wrong", () => {
  const lock = (pid: number): void => writeFileSync(home.file(`inuse.${pid}.lock`), `${pid}\n`);

  it("are passed over, and named in the plan", async () => {
    const [one, other] = [pidLike("copilot"), startLookalike("copilot").pid];
    lock(one);
    const plan = await home.edit().ignoreLocks(await home.edit().planRename(ID, "Other"));
    expect(plan.ignoring).toEqual([{ pid: one, session: ID, program: "copilot" }]);
    rmSync(home.file(`inuse.${one}.lock`));
    lock(other);
    // Nobody has said anything of that one.
    await expect(home.edit().apply(plan)).rejects.toMatchObject({ code: "session-busy" });
    rmSync(home.file(`inuse.${other}.lock`));
    lock(one);
    await home.edit().apply(plan);
  });

  it("change nothing where nobody has the session", async () => {
    const plan = await home.edit().planRename(ID, "Other");
    expect(await home.edit().ignoreLocks(plan)).toBe(plan);
  });
});

it("takes one look at the processes for any number of sessions", async () => {
  let looks = 0;
  const look: ProcessLook = {
    ...createProcessLook("win32"),
    all() {
      looks++;
      return [];
    },
  };
  const sessions = Array.from({ length: 50 }, (_, number) => ({
    source: "copilot-cli",
    id: String(number),
    path: join(home.copilot, "session-state", String(number), "events.jsonl"),
  }));
  await home.catalog.owners(sessions, look);
  expect(looks).toBe(1);
  await home.catalog.owners(sessions);
  expect(looks).toBe(1);
});
