/** Starts a real VS Code server with a profile that is thrown away. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

export interface CodeServer {
  readonly url: string;
  /** The folder that the workbench opens. */
  readonly project: string;
  /** Where it keeps a folder for each workspace. */
  readonly storage: string;
  close(): void;
}

const ENTRY = join(import.meta.dirname, "node_modules", "code-server", "out", "node", "entry.js");
const PATIENCE_MS = 60_000;
const SETTINGS = {
  "workbench.startupEditor": "none",
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  // Texts between tool calls are to be seen, too.
  "chat.agent.collapseCompletedResponses": false,
};

export async function startCodeServer(root: string): Promise<CodeServer> {
  const [project, data, home] = ["shop", "data", "home"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [project, home, join(data, "User")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(project, "README.md"), "# A made-up shop\n");
  writeFileSync(join(data, "User", "settings.json"), JSON.stringify(SETTINGS));
  const config = join(root, "config.yaml");
  writeFileSync(config, "auth: none\n");
  const port = await freePort();
  const args = ["--config", config, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`];
  const folders = ["--user-data-dir", data, "--extensions-dir", join(root, "extensions")];
  const child = spawn(
    process.execPath,
    [ENTRY, ...args, ...folders, "--disable-telemetry", "--disable-update-check"],
    // A group of its own, so that its helpers end with it.
    { env: { ...process.env, HOME: home }, stdio: "ignore", detached: true },
  );
  const close = (): void => endGroup(child);
  process.once("exit", close);
  const url = `http://127.0.0.1:${port}`;
  await untilHealthy(url, child);
  return { url, project, storage: join(data, "User", "workspaceStorage"), close };
}

async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`code-server ended with ${child.exitCode}`);
    const isUp = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false, // it does not listen yet
    );
    if (isUp) return;
    await wait(300);
  }
  throw new Error(`code-server did not start within ${PATIENCE_MS / 1000} seconds`);
}

function endGroup({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has ended by itself
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
