import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pidLike, startLookalike } from "../../../test/lookalike.ts";
import { judgeLock, type LockClaim } from "./lock-owner.ts";
import { createProcessLook, type ProcessLook } from "./process-look.ts";
import { namesOfProgram, parsePs } from "./ps.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-owner-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const HOUR = 3_600_000;
const judge = (claim: Partial<LockClaim> & { pid: number }, look: ProcessLook = createProcessLook()) =>
  judgeLock(
    { folder, isProgram: (facts) => namesOfProgram(facts).some((name) => /copilot$/.test(name)), ...claim },
    look,
  );

describe.runIf(process.platform === "linux")("a lock", () => {
  it("is held by a process that is called as its program is", () => {
    const pid = pidLike("/opt/bin/copilot");
    expect(judge({ pid })).toBe("held");
    expect(judge({ pid, writtenAt: Date.now() })).toBe("held");
  });

  it("is nobody's when its process has ended, or has ended and waits for its parent", async () => {
    const process = startLookalike("copilot");
    await process.end();
    expect(judge({ pid: process.pid })).toBe("ended");
    expect(judge({ pid: 4_194_999 })).toBe("ended");
  });

  it.each([
    ["the first process of the machine", () => pidLike("/sbin/init")],
    ["our own", () => process.pid],
    ["a shell", () => pidLike("bash")],
  ])("is not held by another program: %s", (_, pid) => {
    expect(judge({ pid: pid() })).toBe("foreign");
  });

  it("is held by any program that has a file open beside it, or works there", () => {
    const fd = openSync(join(folder, "hold"), "w");
    expect(judge({ pid: process.pid })).toBe("held");
    closeSync(fd);
    expect(judge({ pid: startLookalike("bash", [], { cwd: folder }).pid })).toBe("held");
  });

  it("was not written by a process that is younger, unless that has a file open beside it", () => {
    expect(judge({ pid: pidLike("copilot"), writtenAt: Date.now() - HOUR })).toBe("foreign");
    const { pid } = startLookalike("copilot", [], { cwd: folder });
    expect(judge({ pid, writtenAt: Date.now() - HOUR })).toBe("held");
  });

  it.runIf(spawnSync("flock", ["--version"]).status === 0)(
    "is held while somebody has locked the file beside it, whatever the number says",
    () => {
      const hold = join(folder, "hold");
      const fd = openSync(hold, "w");
      expect(judge({ pid: 4_194_999, hold })).toBe("ended");
      // The lock belongs to the open file, which stays ours.
      spawnSync("flock", ["-x", "3"], { stdio: ["ignore", "ignore", "ignore", fd] });
      expect(judge({ pid: 4_194_999, hold })).toBe("held");
      closeSync(fd);
    },
  );
});

describe("where the system does not tell", () => {
  const blind = createProcessLook("win32");
  /** As it is with processes of others: their files are hidden. */
  const closed = (words: readonly string[]): ProcessLook => ({
    ...blind,
    of: (pid) => ({ pid, words }),
  });

  it("a lock of a living process is believed", () => {
    expect(judge({ pid: process.pid }, blind)).toBe("held");
    expect(judge({ pid: process.pid, writtenAt: 0 }, blind)).toBe("held");
  });

  it("a runtime may run anything, but a shell does not", () => {
    expect(judge({ pid: process.pid }, closed(["/usr/bin/node", "app.js"]))).toBe("held");
    expect(judge({ pid: process.pid }, closed(["bash"]))).toBe("foreign");
  });

  it("times alone do not make a lock stale", () => {
    const younger = {
      ...closed(["copilot"]),
      of: (pid: number) => ({ pid, words: ["copilot"], startedAt: 9e12 }),
    };
    expect(judge({ pid: process.pid, writtenAt: 1 }, younger)).toBe("held");
  });
});

it("reads what ps tells", () => {
  const text = [
    "    1 Mon Nov 16 09:12:03 2026     /sbin/launchd",
    "  501 Sun Nov  1 19:02:59 2026     /opt/homebrew/bin/copilot --resume 0b1c2d3e -p  hello",
    "garbage",
    "",
  ].join("\n");
  expect(parsePs(text)).toEqual([
    { pid: 1, words: ["/sbin/launchd"], startedAt: new Date(2026, 10, 16, 9, 12, 3).getTime() },
    {
      pid: 501,
      words: ["/opt/homebrew/bin/copilot", "--resume", "0b1c2d3e", "-p", "hello"],
      startedAt: new Date(2026, 10, 1, 19, 2, 59).getTime(),
    },
  ]);
});

it.runIf(spawnSync("ps", ["-p", "1"]).status === 0)("asks the ps of this machine", () => {
  const { pid } = startLookalike("copilot", ["--resume", "abc"]);
  const look = createProcessLook("darwin");
  expect(look.of(pid)?.words).toEqual(["copilot", "-c", "read", "_", "copilot", "--resume", "abc"]);
  expect(Math.abs((look.of(pid)?.startedAt ?? 0) - Date.now())).toBeLessThan(HOUR);
  expect(look.all().map((each) => each.pid)).toContain(pid);
  expect(look.openPaths(pid)).toBeUndefined();
});
