/** Starts the server of a hub with everything that belongs to it, and stops it in order. */
import { join } from "node:path";
import type { AppConfig } from "../../app/config.ts";
import { hubFolder } from "../../app/hub/operator.ts";
import { openServing } from "../../app/hub/serving.ts";
import { webFolder } from "../../app/serving.ts";
import type { Timeouts } from "../../platform/http/listen.ts";
import { toBinding } from "../binding.ts";
import { listenHub } from "./listen-hub.ts";
import { type HubLog, wordsOf } from "./log.ts";
import { onUsualPort } from "./usual-port.ts";

export interface HubServeOptions {
  readonly config: AppConfig;
  readonly databaseUrl?: string;
  /** 0 takes one that is free; with an embedded database, the one of last time if it is. */
  readonly port: number;
  readonly host?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Under which a proxy that speaks TLS is reached. */
  readonly publicUrl?: string;
  readonly hasOpenMetrics: boolean;
  readonly timeouts?: Timeouts;
  readonly log: HubLog;
  /** A sentence for the terminal. */
  note(sentence: string): void;
}

export interface ServedHub {
  /** Opens the pages once, signed in as the first admin. */
  readonly url: string;
  /** The address without a code. */
  readonly base: string;
  readonly port: number;
  /** Of the first admin, until the server stops or half a day is over. */
  readonly token: string;
  readonly pid: number;
  /** The migrations that were run now; all of them where the hub is new. */
  readonly applied: readonly string[];
  readonly isEmbedded: boolean;
  stop(): Promise<void>;
}

/** So long answers that are under way may take once the server stops. */
const GRACE_MS = 15_000;

export async function serveHub(options: HubServeOptions): Promise<ServedHub> {
  const { config, log, port, hasOpenMetrics, timeouts, note } = options;
  const binding = toBinding(options.host, options.tls, config.folder, options.publicUrl);
  let countFailure = (): void => undefined;
  const report = (event: string) => (error: unknown) => log.event("error", event, wordsOf(error));
  const serving = await openServing(config, {
    ...(options.databaseUrl !== undefined && { databaseUrl: options.databaseUrl }),
    note(sentence) {
      log.event("warn", "database", sentence);
      note(sentence);
    },
    onError(error) {
      countFailure();
      report("backfill")(error);
    },
  });
  try {
    const listen = (at: number) =>
      listenHub({
        hub: serving,
        binding,
        port: at,
        webFolder: webFolder(config),
        hasOpenMetrics,
        ...(timeouts && { timeouts }),
        now: config.now,
        seen: log.request,
        lost: report("database"),
        report: report("defect"),
      });
    const listening =
      port === 0 && serving.isEmbedded
        ? await onUsualPort(join(hubFolder(config), "port"), listen)
        : await listen(port);
    countFailure = listening.meter.failed;
    const base = binding.baseAt(listening.port);
    log.event("info", "started", `Serving a hub at ${base}`);
    return {
      url: listening.urlFor(serving.token),
      base,
      port: listening.port,
      token: serving.token,
      pid: process.pid,
      applied: serving.applied,
      isEmbedded: serving.isEmbedded,
      async stop() {
        log.event("info", "stopping", "Taking no more requests");
        await listening.close(GRACE_MS);
        await serving.stop();
        log.event("info", "stopped", "All is closed");
      },
    };
  } catch (error) {
    await serving.stop();
    throw error;
  }
}
