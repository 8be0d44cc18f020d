/**
 * A bad network: a proxy on the loopback address that cuts requests off before, in and behind their middle, holds them up,
 * and sends some of them once more, at once or after others have come in between.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createRandom } from "../../bench/corpus/text.ts";

export interface ProxyFaults {
  /** Each a share of the requests. */
  readonly cut: number;
  readonly delay: number;
  readonly repeat: number;
}

export interface ProxyCounts {
  requests: number;
  /** The hub has seen half of the request. */
  cutInRequest: number;
  /** The hub has answered, and nobody heard it. */
  cutInAnswer: number;
  delayed: number;
  /** Sent once more at the same time. */
  doubled: number;
  /** Sent once more after a while, when others had come in between. */
  late: number;
}

export interface Proxy {
  readonly url: string;
  readonly counts: Readonly<ProxyCounts>;
  /** Once all that is to be repeated has been. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

const LONGEST_DELAY_MS = 200;
const LATEST_MS = 1500;

export async function startProxy(port: () => number, faults: ProxyFaults, seed: number): Promise<Proxy> {
  const random = createRandom(seed);
  const counts: ProxyCounts = {
    ...{ requests: 0, cutInRequest: 0, cutInAnswer: 0, delayed: 0, doubled: 0, late: 0 },
  };
  const under = new Set<Promise<void>>();
  const agent = new Agent({ keepAlive: true });
  const later = (work: Promise<unknown>): void => {
    const one = work.then(
      () => undefined,
      () => undefined,
    );
    under.add(one);
    void one.then(() => under.delete(one));
  };

  const forward = (asked: IncomingMessage, body: Buffer, half = false): Promise<Passed> =>
    new Promise((resolve, reject) => {
      const onward = request(
        {
          ...{ host: "127.0.0.1", port: port(), method: asked.method, path: asked.url, agent },
          ...(asked.socket.remoteAddress && { localAddress: asked.socket.remoteAddress }),
          headers: { ...asked.headers, host: `127.0.0.1:${port()}`, connection: "keep-alive" },
        },
        (response) => {
          const pieces: Buffer[] = [];
          response.on("data", (piece: Buffer) => pieces.push(piece));
          response.once("error", reject);
          response.once("aborted", () => reject(new Error("cut off")));
          response.once("end", () => resolve({ response, body: Buffer.concat(pieces) }));
        },
      );
      onward.once("error", reject);
      if (!half) onward.end(body);
      else onward.write(body.subarray(0, body.length >> 1), () => onward.destroy());
    });

  const pass = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    counts.requests++;
    const pieces: Buffer[] = [];
    for await (const piece of asked) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    if (random() < faults.delay) {
      counts.delayed++;
      await wait(random() * LONGEST_DELAY_MS);
    }
    const cut = random() < faults.cut ? random() : 1;
    if (cut < 0.4) {
      counts.cutInRequest++;
      await forward(asked, body, true).catch(() => undefined);
      response.destroy();
      return;
    }
    const isRepeated = random() < faults.repeat;
    const isLate = isRepeated && random() < 0.5;
    if (isRepeated && !isLate) {
      counts.doubled++;
      later(forward(asked, body));
    }
    if (isLate) {
      counts.late++;
      later(wait(random() * LATEST_MS).then(() => forward(asked, body)));
    }
    const passed = await forward(asked, body);
    if (cut < 1) {
      counts.cutInAnswer++;
      response.destroy();
      return;
    }
    response.writeHead(passed.response.statusCode ?? 500, { "content-type": "application/json" });
    response.end(passed.body);
  };

  const server = createServer((asked, response) => {
    pass(asked, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    async settle() {
      while (under.size > 0) await Promise.all(under);
    },
    close() {
      server.closeAllConnections();
      agent.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Passed {
  readonly response: IncomingMessage;
  readonly body: Buffer;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
