/**
 * An application on Copilot's SDK that keeps its sessions on the hub, as a process of its own. It is told what to do by
 * lines on its input, each a JSON object, and answers each with one on its output.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openHubSessions } from "../../src/hub/provider/contract.ts";
import { copilotSessionFs } from "../../src/hub/provider/copilot-provider.ts";
import { programPath } from "./copilot.ts";

export interface ProviderApp {
  readonly url: string;
  readonly token: string;
  /** The model's address. */
  readonly model: string;
  readonly home: string;
  readonly workspace: string;
  readonly sessionId: string;
}

/** What the application can be told. */
export type Order =
  | { readonly do: "create" | "compact" | "disconnect" | "end" }
  /** Its own session, unless another is named. */
  | { readonly do: "resume"; readonly sessionId?: string }
  | { readonly do: "take"; readonly steal: boolean }
  | { readonly do: "say"; readonly prompt: string };

/** The vendor's own SDK, which its program brings along. */
// biome-ignore lint/suspicious/noExplicitAny: its types are where the program has unpacked itself
async function loadSdk(): Promise<any> {
  const find = (): string | undefined =>
    globSync("node_modules/.cache/copilot/pkg/*/*/copilot-sdk/index.js", { cwd: import.meta.dirname })[0];
  // It unpacks itself when it first runs.
  if (find() === undefined) spawnSync(programPath(), ["--version"], { env: process.env });
  return import(join(import.meta.dirname, find() ?? ""));
}

async function main(app: ProviderApp): Promise<void> {
  const { CopilotClient, RuntimeConnection, approveAll } = await loadSdk();
  const sessions = await openHubSessions({ url: app.url, token: app.token, holder: `app ${process.pid}` });
  const client = new CopilotClient({
    connection: RuntimeConnection.forStdio({ path: programPath() }),
    env: { ...process.env, COPILOT_HOME: app.home },
    workingDirectory: app.workspace,
    useLoggedInUser: false,
    logLevel: "none",
    sessionFs: copilotSessionFs(app.workspace),
  });
  await client.start();
  let { sessionId } = app;
  const config = {
    model: "scripted",
    provider: { type: "openai", baseUrl: `${app.model}/v1` },
    workingDirectory: app.workspace,
    onPermissionRequest: approveAll,
    createSessionFsProvider: sessions.provider,
  };
  // biome-ignore lint/suspicious/noExplicitAny: a session of the SDK
  let session: any;
  const obey = async (order: Order): Promise<void> => {
    if (order.do === "create") session = await client.createSession({ ...config, sessionId });
    if (order.do === "resume") {
      sessionId = order.sessionId ?? sessionId;
      session = await client.resumeSession(sessionId, config);
    }
    if (order.do === "take") await sessions.take(sessionId, order);
    if (order.do === "say") await session.sendAndWait({ prompt: order.prompt });
    if (order.do === "compact") await session.rpc.history.compact();
    if (order.do === "disconnect") {
      await session.disconnect();
      await sessions.release(sessionId);
    }
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line) as Order;
    if (order.do === "end") break;
    const answer = await obey(order).then(
      () => ({ ok: true }),
      (error: unknown) => ({ ok: false, error: String(error) }),
    );
    console.log(JSON.stringify(answer));
  }
  await client.stop();
  await sessions.close();
  process.exit(0);
}

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? "{}") as ProviderApp);
