/** `rethread hub serve`: serves a hub until it is stopped. */
import type { Config } from "../../app/config.ts";
import type { ServedHub } from "../../server/hub/serve.ts";
import { refuseOthers } from "../action-args.ts";
import { HUB_ARGS } from "../commands/serve/hub.ts";
import { aborted, interruptible } from "../interrupt.ts";
import { type Output, SCHEMA_VERSION } from "../output.ts";
import { checkServing } from "../serving-args.ts";
import { type HubAct, operatorOptions } from "./called.ts";

const TAKES = [
  ...["databaseUrl", "port", "host", "tlsCert", "tlsKey", "publicUrl", "noOpen", "logFormat"],
  ...["openMetrics"],
];

export const serve: HubAct = async (called) => {
  const { args, config, out } = called;
  refuseOthers("hub serve", HUB_ARGS, args, TAKES);
  const { port = 0, host, publicUrl, json } = args;
  const tls = checkServing(args);
  const [{ serveHub }, { createHubLog }, { buildPages }] = await Promise.all([
    import("../../server/hub/serve.ts"),
    import("../../server/hub/log.ts"),
    import("../../app/serving.ts"),
  ]);
  const format = args.logFormat ?? (config.terminal.stderr ? "text" : "json");
  const log = createHubLog({
    format,
    now: config.now,
    write: (line) => out.drawn(line),
  });
  if (!(await buildPages(config)))
    log.event("warn", "pages", "The web app could not be built, so only the API is served");
  return interruptible(async (interrupt) => {
    const served = await serveHub({
      config,
      ...operatorOptions(called),
      port,
      ...(host !== undefined && { host }),
      ...(tls && { tls }),
      ...(publicUrl !== undefined && { publicUrl }),
      hasOpenMetrics: args.openMetrics,
      log,
      note: () => undefined,
    });
    const { url, port: taken, token, pid } = served;
    if (json) out.jsonLine({ schemaVersion: SCHEMA_VERSION, url, port: taken, token, pid });
    // Whoever reads a log of JSON reads nothing else there.
    else
      await show(served, args.noOpen, config, {
        ...out,
        ...(format === "json" && { note: () => undefined }),
      });
    await aborted(interrupt.signal);
    await served.stop();
    return 0;
  });
};

async function show(
  { url, base, applied, isEmbedded }: ServedHub,
  noOpen: boolean,
  config: Config,
  out: Output,
): Promise<void> {
  const { openInBrowser } = await import("../../app/opening.ts");
  const isOpened = !noOpen && (await openInBrowser(config, url));
  const isNew = applied.includes("0001-hub");
  out.line(isNew ? "A new hub is running here:" : "The hub is running here:");
  out.line(`  ${out.style.cyan(url)}`);
  out.note(
    `${isOpened ? "The address was opened in a browser" : "Open it in a browser"}: it signs you in as the first admin, once, within ten minutes. Others open ${base} and sign in with a token.`,
  );
  if (isEmbedded) out.note("Its database is the embedded PostgreSQL server, which ends with it.");
  out.note("In another terminal, let people in:");
  out.note("  rethread hub user add <name>");
  out.note("Press Ctrl-C to stop.");
}
