/** Pushes made-up sessions over HTTP as the client does, and notes what the hub has acknowledged. */
import { createHash } from "node:crypto";
import { Agent, request } from "node:http";
import { zstdCompressSync } from "node:zlib";
import { encodePush } from "../../src/hub/ingest/frame.ts";
import type { PushedFile } from "../../src/hub/protocol.ts";
import { createHubClient } from "../../src/hub/sync/hub-client.ts";
import { PATIENT } from "../../src/hub/sync/retry.ts";
import { type History, makeHistory, SOURCE } from "./history.ts";
import type { Pusher } from "./people.ts";

export interface Load {
  readonly url: string;
  readonly people: readonly Pusher[];
  /** Sessions are numbered; each belongs to the person of its number. */
  readonly from: number;
  readonly to: number;
  readonly turns: number;
  /** One push of so many is given up at its first failure, and never sent again; 0 for none. */
  readonly abandonEvery: number;
}

/** What became of the pushes of one session. */
export interface Sent {
  readonly seed: number;
  /** Parts that the hub has acknowledged, from the first. */
  readonly acknowledged: number;
  /** The part behind them was sent, and nobody knows whether it arrived. */
  readonly isAbandoned: boolean;
}

export interface Pushed {
  readonly sent: readonly Sent[];
  readonly pushes: number;
  readonly events: number;
  /** Of the files, before compression. */
  readonly bytes: number;
  /** As sent. */
  readonly wireBytes: number;
  readonly turns: number;
  /** Requests, of which those beyond the pushes are repetitions. */
  readonly requests: number;
  /** Of pushes at their first attempt, in milliseconds. */
  readonly latencies: readonly number[];
}

/** Everybody pushes at once, each one session after the other. */
export async function pushLoad(load: Load, onProgress: (sessions: number) => void): Promise<Pushed> {
  const total = { pushes: 0, events: 0, bytes: 0, wireBytes: 0, turns: 0, requests: 0 };
  const sent: Sent[] = [];
  const latencies: number[] = [];
  const pushPart = async (client: Sender, history: History, part: number, canAbandon: boolean) => {
    const { frame, events } = frameOf(history, part, client.person);
    const before = client.requests();
    const began = performance.now();
    const isThere = await client.push(frame, canAbandon);
    const took = client.requests() - before;
    total.requests += took;
    if (!isThere) return false;
    if (took === 1) latencies.push(performance.now() - began);
    total.pushes++;
    total.events += events;
    total.bytes += history.parts[part]?.length ?? 0;
    total.wireBytes += frame.length;
    return true;
  };
  await Promise.all(
    load.people.map(async (person, at) => {
      const client = createSender(load.url, person);
      const first =
        load.from + ((((at - load.from) % load.people.length) + load.people.length) % load.people.length);
      for (let seed = first; seed < load.to; seed += load.people.length) {
        const history = makeHistory(seed, load.turns);
        const canAbandon = load.abandonEvery > 0 && seed % load.abandonEvery === 0;
        let acknowledged = 0;
        while (acknowledged < history.parts.length) {
          if (!(await pushPart(client, history, acknowledged, canAbandon))) break;
          acknowledged++;
        }
        total.turns += history.turns;
        sent.push({ seed, acknowledged, isAbandoned: acknowledged < history.parts.length });
        onProgress(sent.length);
      }
      client.close();
    }),
  );
  return { ...total, sent, latencies };
}

/** The push of one part, as it would be sent by a machine that has the parts before it on the hub. */
export function frameOf(
  history: History,
  part: number,
  { machine }: Pusher,
): { frame: Uint8Array; events: number } {
  const body = history.parts[part] ?? Buffer.alloc(0);
  const before = history.parts.slice(0, part);
  const start = before.reduce((sum, { length }) => sum + length, 0);
  const whole = createHash("sha256");
  for (const each of [...before, body]) whole.update(each);
  const events = body.reduce((sum, byte) => sum + (byte === NEWLINE ? 1 : 0), 0);
  const piece = {
    start,
    bytes: body.length,
    events,
    sha256: createHash("sha256").update(body).digest("hex"),
  };
  const file: PushedFile = {
    ...{ path: history.path, generation: 0, mode: 0o600, mtimeMs: 1_790_000_000_000 },
    ...{ size: start + body.length, sha256: whole.digest("hex"), pieces: [piece] },
  };
  const frame = encodePush(
    {
      ...{ machine, source: SOURCE, id: history.id, isSealed: false, files: [file], removed: [] },
      facts: { repository: history.repository, repositoryEvidence: "session" },
    },
    [zstdCompressSync(body)],
  );
  return { frame, events };
}
const NEWLINE = 10;

interface Sender {
  readonly person: Pusher;
  /** Resolves once it is acknowledged; false where it was given up. */
  push(frame: Uint8Array, canAbandon: boolean): Promise<boolean>;
  requests(): number;
  close(): void;
}

/** The client's own code with a connection of its own, and more patience than a person has. */
function createSender(url: string, person: Pusher): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: person.address });
  let requests = 0;
  const options = {
    url,
    token: person.token,
    fetch: (...[address, init]: Parameters<typeof fetch>) => {
      requests++;
      return send(agent, String(address), init);
    },
  };
  const patience = { ...PATIENT, attempts: 200, firstMs: 50, longestMs: 1000 };
  const patient = createHubClient({ ...options, patience });
  const hasty = createHubClient({ ...options, patience: { ...patience, attempts: 1 } });
  return {
    person,
    requests: () => requests,
    close: () => agent.destroy(),
    async push(frame, canAbandon) {
      if (!canAbandon) return patient.push(frame).then(() => true);
      return hasty.push(frame).then(
        () => true,
        () => false,
      );
    },
  };
}

/** As `fetch`, over a connection that is kept. */
function send(agent: Agent, address: string, init: RequestInit = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const asked = request(
      address,
      {
        ...{ agent, method: init.method ?? "GET", headers: init.headers as Record<string, string> },
        ...(init.signal && { signal: init.signal }),
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.once("error", reject);
        response.once("aborted", () => reject(new Error("the answer was cut off")));
        response.once("end", () => {
          const headers = new Headers();
          const after = response.headers["retry-after"];
          if (after !== undefined) headers.set("retry-after", after);
          resolve(new Response(Buffer.concat(pieces), { status: response.statusCode ?? 500, headers }));
        });
      },
    );
    asked.once("error", reject);
    asked.end(init.body as Uint8Array | string | undefined);
  });
}
