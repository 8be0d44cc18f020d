/** `rethread serve`: serves the web app and the API until it is stopped. */

import type { Config } from "../../../app/config.ts";
import type { App } from "../../../app/contract.ts";
import { toCommand } from "../../../model/remedy.ts";
import { chat, chatSend } from "../../../operations/changes/chats.ts";
import { jobs } from "../../../operations/changes/jobs.ts";
import { watch } from "../../../operations/upkeep/index-store.ts";
import type { Served } from "../../../server/serve.ts";
import type { ServedAs } from "../../../server/serve-again.ts";
import type { Values } from "../../args.ts";
import { defineCommand } from "../../command.ts";
import { aborted, interruptible } from "../../interrupt.ts";
import { type Output, SCHEMA_VERSION } from "../../output.ts";
import { checkServing, SERVING_ARGS, servedShape } from "../../serving-args.ts";

export const SERVE_ARGS = {
  ...SERVING_ARGS,
  readOnly: { kind: "flag", help: "refuse everything that would change a session or a setting" },
} as const;

interface ServeArgs extends Values<typeof SERVE_ARGS> {
  readonly json: boolean;
}

export default defineCommand({
  name: "serve",
  summary: "Serve the web app and its API to this machine, until it is stopped",
  brief: "Open the web app",
  about:
    "Opens the web app in a browser. The address that it prints works once, within ten minutes, and signs the browser in; programs send the token of --json as `Authorization: Bearer`. Only this machine is served, and only to those who have one of them. A second serve opens the pages of the one that is running. docs/api.md describes the API.",
  args: SERVE_ARGS,
  examples: [
    { command: "rethread serve", why: "open the web app" },
    { command: "rethread serve --no-open --port 4000", why: "on a machine without a browser" },
    {
      command: "rethread serve --no-open --json",
      why: "from a program, which reads the address and the token",
    },
  ],
  operations: [watch, chat, chatSend, jobs],
  json: [{ schema: servedShape }],
  async run({ args, config, out, openApp }) {
    return runServer(args, { config, out, app: await openApp() });
  },
});

export async function runServer(
  args: ServeArgs,
  { config, out, app }: { readonly config: Config; readonly out: Output; readonly app: App },
): Promise<number> {
  const { port = 0, host, readOnly, json } = args;
  const tls = checkServing(args);
  const [{ serve }, { buildPages }] = await Promise.all([
    import("../../../server/serve.ts"),
    import("../../../app/serving.ts"),
  ]);
  if (!(await buildPages(config))) out.note("The web app could not be built, so only the API is served.");
  return interruptible(async (interrupt) => {
    const served = await serve({
      app,
      config,
      port,
      isReadOnly: readOnly,
      ...(host !== undefined && { host }),
      ...(tls && { tls }),
      note: (sentence) => out.note(sentence),
      report: (error) => out.note(describe(error, config.debug)),
    });
    const { url, port: taken, token, pid } = served;
    if (json) out.jsonLine({ schemaVersion: SCHEMA_VERSION, url, port: taken, token, pid });
    else
      await show(served, args, config, out, {
        isDemo: app.demo !== undefined,
        isReadOnly: readOnly,
        host,
        hasTls: tls !== undefined,
      });
    if (!served.stop) return 0;
    await aborted(interrupt.signal);
    if (!json) out.note("Stopping.");
    await served.stop();
    return 0;
  });
}

async function show(
  { url, stop }: Served,
  { noOpen }: ServeArgs,
  config: Config,
  out: Output,
  servedAs: ServedAs,
): Promise<void> {
  const [{ openInBrowser }, { serveAgain }] = await Promise.all([
    import("../../../app/opening.ts"),
    import("../../../server/serve-again.ts"),
  ]);
  const isOpened = !noOpen && (await openInBrowser(config, url));
  const again = toCommand(serveAgain(servedAs));
  out.line(stop ? "Rethread is running here:" : "Rethread is running already:");
  out.line(`  ${out.style.cyan(url)}`);
  out.note(
    isOpened
      ? `The address was opened in a browser. It works once; for another one, run this: ${again}`
      : `Open it in a browser. It works once, within ten minutes; for another one, run this: ${again}`,
  );
  if (stop) out.note("Press Ctrl-C to stop.");
}

const describe = (error: unknown, isDebug: boolean): string =>
  error instanceof Error ? ((isDebug ? error.stack : undefined) ?? error.message) : String(error);
