import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { isAlive, startTicks } from "./processes.ts";
import { type ProgramOptions, startProgram, stopLeftBehind } from "./program.ts";

const options: ProgramOptions = { folder: tmpdir(), env: { PATH: process.env.PATH }, silenceMs: 60_000 };
const start = (script: string, more: Partial<ProgramOptions> = {}) =>
  startProgram(process.execPath, ["-e", script], { ...options, ...more });
const collect = async (lines: AsyncIterable<string>) => {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
};
const gone = async (pid: number) => {
  for (let tries = 0; tries < 100 && isAlive(pid); tries++) await new Promise((done) => setTimeout(done, 50));
  return !isAlive(pid);
};

describe("a program", () => {
  it("gives its lines, also one without an end, and how it ended", async () => {
    const program = start(
      "process.stdout.write('one\\ntwo é\\nrest'); console.error('why'); process.exitCode = 3",
    );
    expect(await collect(program.lines())).toEqual(["one", "two é", "rest"]);
    expect(await program.ended).toEqual({ how: "exited", code: 3, detail: "exit code 3", stderr: "why\n" });
  });

  it("that is not there, or may not be started, says so", async () => {
    const missing = startProgram("no-such-program-here", [], options);
    expect(await collect(missing.lines())).toEqual([]);
    expect(await missing.ended).toMatchObject({ how: "missing", code: null });
    expect(await startProgram(tmpdir(), [], options).ended).toMatchObject({ how: "refused" });
  });

  it("is stopped with what it started", async () => {
    const program = start(
      "const c = require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']); console.log(c.pid); setTimeout(() => {}, 60000)",
    );
    let inner = 0;
    for await (const line of program.lines()) {
      inner = Number(line);
      program.stop();
    }
    expect(await program.ended).toMatchObject({ how: "stopped" });
    expect(await gone(inner)).toBe(true);
  });

  it("that does not want to end is made to", async () => {
    const program = start(
      "process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)",
    );
    for await (const _ of program.lines()) program.stop();
    expect(await program.ended).toMatchObject({ how: "stopped", detail: "SIGKILL" });
  });

  it("that says nothing for too long is taken for hung", async () => {
    const program = start("setTimeout(() => {}, 60000)", { silenceMs: 200 });
    expect(await collect(program.lines())).toEqual([]);
    expect(await program.ended).toMatchObject({ how: "hung" });
  });

  it("waits for a slow reader instead of filling our memory", async () => {
    const program = start(
      "let n = 0; const go = () => { while (n < 40000) { n++; if (!process.stdout.write('x'.repeat(1000) + '\\n')) { process.stdout.once('drain', go); console.error(n); return; } } }; go()",
    );
    const before = process.memoryUsage().rss;
    let lines = 0;
    for await (const _ of program.lines())
      if (++lines % 1000 === 0) await new Promise((done) => setTimeout(done, 2));
    expect(lines).toBe(40_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(30 << 20);
  });
});

describe("a program that is no model of good behaviour", () => {
  it("is not taken for hung while its reader thinks", async () => {
    const program = start("console.log('one'); setTimeout(() => console.log('two'), 50)", {
      silenceMs: 3000,
    });
    for await (const line of program.lines())
      if (line === "one") await new Promise((done) => setTimeout(done, 3500));
    expect(await program.ended).toMatchObject({ how: "exited", code: 0 });
  });

  it("may leave something running that holds its output open", async () => {
    const program = start(
      "const c = require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { detached: true, stdio: 'inherit' }); c.unref(); console.log(c.pid); process.exit(0)",
    );
    const [pid = ""] = await collect(program.lines());
    expect(await program.ended).toMatchObject({ how: "exited", code: 0 });
    expect(isAlive(Number(pid))).toBe(true);
    process.kill(Number(pid), "SIGKILL");
  });

  it("gets its input, or need not read it", async () => {
    const text = "y".repeat(1 << 20);
    const reads = start("process.stdin.pipe(process.stdout)", { input: text });
    expect((await collect(reads.lines())).join("")).toBe(text);
    const deaf = start("process.exit(0)", { input: text });
    expect(await collect(deaf.lines())).toEqual([]);
    expect(await deaf.ended).toMatchObject({ code: 0 });
  });

  it("cannot be given words that the system does not pass on", async () => {
    const program = startProgram(process.execPath, ["-e", "x".repeat(1 << 20)], options);
    expect(await collect(program.lines())).toEqual([]);
    expect(await program.ended).toMatchObject({ how: "refused", code: null });
    expect(await startProgram(process.execPath, ["nul\0byte"], options).ended).toMatchObject({
      how: "refused",
    });
  });
});

describe.runIf(startTicks(process.pid) !== undefined)("a program left behind", () => {
  it("is known again by when it began, and ended", async () => {
    const program = start("console.log('ready'); setTimeout(() => {}, 60000)");
    for await (const _ of program.lines()) {
      const { pid = 0, started } = program.mark ?? {};
      expect(await stopLeftBehind({ pid, started: "1" })).toBe(false);
      expect(await stopLeftBehind({ pid })).toBe(false);
      expect(await stopLeftBehind({ pid, ...(started !== undefined && { started }) })).toBe(true);
    }
    expect(await program.ended).toMatchObject({ detail: "SIGKILL" });
  });
});
