/** Starts the server, or finds the one that runs already, and stops it in order. */
import { randomBytes } from "node:crypto";
import type { AppConfig } from "../app/config.ts";
import type { App } from "../app/contract.ts";
import { watchOwnChanges } from "../app/own-changes.ts";
import { servingPlaces } from "../app/serving.ts";
import { VERSION } from "../app/version.ts";
import { AppError } from "../model/errors.ts";
import { type Listening, listen, type Timeouts } from "../platform/http/listen.ts";
import { heldMemory, releaseMemory } from "../platform/memory.ts";
import { pause } from "../platform/process/background.ts";
import { type Binding, toBinding } from "./binding.ts";
import { createChatAnswers } from "./chat-answers.ts";
import type { ServerParts } from "./endpoint.ts";
import { loadApi } from "./endpoints.ts";
import { createEventHub } from "./event-hub.ts";
import { createHttpApp } from "./http-app.ts";
import { startIndexing } from "./indexing.ts";
import { createLimits } from "./limits.ts";
import { startLive } from "./live.ts";
import { startResting } from "./resting.ts";
import type { Router } from "./router.ts";
import { askForCode, openServerFiles, type ServerFiles } from "./running-server.ts";
import { serveAgain } from "./serve-again.ts";
import { createSignIn } from "./sign-in.ts";
import { createSite } from "./site.ts";
import { readSite } from "./static-files.ts";
import { createUploads } from "./uploads.ts";
import { createWorkers } from "./workers/workers.ts";
import { createWrites } from "./writes.ts";

export interface ServeOptions {
  readonly app: App;
  readonly config: AppConfig;
  /** 0 takes one that is free. */
  readonly port: number;
  /** This machine alone, unless it is named. */
  readonly host?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly isReadOnly: boolean;
  /** How long a request may take to arrive. */
  readonly timeouts?: Timeouts;
  /** A sentence for the terminal. */
  note(sentence: string): void;
  /** A defect, for the terminal. */
  report(error: unknown): void;
}

export interface Served {
  /** Opens the pages once. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly pid: number;
  /** Missing where it is the server of another process. */
  stop?(): Promise<void>;
}

/** So long a server that is just starting, or ending, may take. */
const START_MS = 20_000;
const LOOK_MS = 100;
/** So long answers that are under way may take once the server stops. */
const GRACE_MS = 10_000;

export async function serve(options: ServeOptions): Promise<Served> {
  const { app, config } = options;
  const binding = toBinding(options.host, options.tls, config.folder);
  const { dataFolder } = servingPlaces(config, app);
  const files = openServerFiles(dataFolder, [
    app.sources,
    app.demo !== undefined,
    options.isReadOnly,
    binding.host,
  ]);
  const until = performance.now() + START_MS;
  for (;;) {
    const release = files.claim();
    if (release) return start(options, binding, files, release);
    const record = files.read();
    const code = record && (await askForCode(record));
    if (record && code !== undefined) {
      const { base, port, token, pid } = record;
      return { url: `${base}/?code=${code}`, port, token, pid };
    }
    if (performance.now() > until)
      throw new AppError(
        "write-busy",
        "Another server on the same sessions is starting or ending, and does not answer",
        "Try again, or end it",
      );
    await pause(LOOK_MS);
  }
}

async function start(
  { app, config, port, host, isReadOnly, timeouts, note, report }: ServeOptions,
  binding: Binding,
  files: ServerFiles,
  release: () => void,
): Promise<Required<Served>> {
  const z = await import("zod");
  const { dataFolder, webFolder, storeIdentity, journalMark } = servingPlaces(config, app);
  const { endpoints, operations } = await loadApi(z);
  const send = operations.get("chat-send");
  if (send?.kind !== "stream") throw new Error("chat-send is no stream");
  const instance = randomBytes(9).toString("base64url").replaceAll("-", "_");
  const workers = createWorkers(config, app);
  const endLongLife = await app.liveLong({ index: workers.index });
  const events = createEventHub(instance);
  const live = startLive({ app, events, storeIdentity, journalMark, pause, note });
  const writes = createWrites(live);
  const indexing = startIndexing(app, events);
  const chats = createChatAnswers(app, send, events);
  const uploads = createUploads(dataFolder);
  const unwatch = watchOwnChanges(dataFolder, {
    chat: (id) => events.publish("chat-changed", { id }),
    job: (job) => events.publish("job-changed", { job }),
    board: () => events.publish("board-changed", {}),
  });
  const limits = createLimits();
  const resting = startResting({
    held: heldMemory,
    release: releaseMemory,
    clock: () => performance.now(),
  });
  let signIn: ReturnType<typeof createSignIn> | undefined;
  let http: Router | undefined;
  let listening: Listening | undefined;
  const stop = async (): Promise<void> => {
    files.remove();
    resting.stop();
    unwatch();
    const closed = listening?.close(GRACE_MS);
    events.close();
    await Promise.all([chats.close(), writes.settled(), indexing.stop(), live.stop()]);
    uploads.close();
    await closed;
    await workers.close();
    endLongLife();
    release();
  };
  try {
    // The port is part of what is checked, and only known once it is taken; until then nobody is answered.
    listening = await listen({
      ...binding,
      port,
      ...(timeouts && { timeouts }),
      fetch: (request, raw) =>
        resting.during(() => http?.fetch(request, raw) ?? new Response(null, { status: 503 })),
    });
    signIn = createSignIn({
      now: config.now,
      key: files.cookieKey(),
      port: listening.port,
      isSecure: binding.tls !== undefined,
    });
    const { newCode, token } = signIn;
    const again = serveAgain({
      isDemo: app.demo !== undefined,
      isReadOnly,
      host,
      hasTls: binding.tls !== undefined,
    });
    const site = createSite(() => readSite(webFolder), signIn, limits, again);
    const parts: ServerParts = {
      z,
      app,
      operations,
      events,
      chats,
      uploads,
      workers,
      instance,
      version: VERSION,
      isReadOnly,
      freshness: live.freshness,
      writing: writes.during,
      newCode() {
        site.refresh();
        return newCode();
      },
      startIndex: indexing.start,
    };
    http = createHttpApp({ endpoints, parts, served: binding.served, signIn, limits, site, again, report });
    const base = binding.baseAt(listening.port);
    files.write({
      version: 1,
      instance,
      pid: process.pid,
      port: listening.port,
      base,
      localBase: binding.localBaseAt(listening.port),
      token,
      ...(binding.tls && { certificate: Buffer.from(binding.tls.cert).toString() }),
    });
    return { url: `${base}/?code=${newCode()}`, port: listening.port, token, pid: process.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
