/** A session that the real Copilot CLI has open, and locks only once something is asked: we notice it by other signs. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Copilot, programPath, startCopilot } from "./copilot.ts";
import { openEditing } from "./copilot-editing.ts";
import { scripted } from "./scripted-model.ts";

const ID = "0b1c2d3e-0000-4000-8000-00000000a001";
let copilot: Copilot;
beforeAll(async () => {
  copilot = await startCopilot();
  await copilot.prompt(ID, scripted("One", { say: "First." }));
});
afterAll(() => copilot.close());

const isLocked = (): boolean => readdirSync(dirname(copilot.log(ID))).some((name) => /^inuse/.test(name));
const deletion = async (): Promise<string | undefined> => {
  const { edit } = openEditing(copilot);
  const plan = await edit.planDelete(ID);
  return edit.apply(plan).then(
    () => undefined,
    (error: { code: string }) => error.code,
  );
};

it.runIf(process.platform === "linux")(
  "is neither changed nor deleted: open in a server, and in a terminal before the first prompt",
  async () => {
    const server = await copilot.headless();
    await server.resume(ID);
    expect(isLocked()).toBe(false);
    expect(await deletion()).toBe("session-busy");
    await server.close();
    // Without a terminal it waits for its prompt on a pipe.
    const waiting = spawn(programPath(), ["--resume", ID], {
      cwd: copilot.workspace,
      env: copilot.env,
      stdio: ["pipe", "ignore", "ignore"],
    });
    const ended = new Promise((resolve) => waiting.once("exit", resolve));
    expect(isLocked()).toBe(false);
    expect(await deletion()).toBe("session-busy");
    waiting.kill("SIGKILL");
    await ended;
    expect(await deletion()).toBeUndefined();
    expect(existsSync(copilot.log(ID))).toBe(false);
  },
);
