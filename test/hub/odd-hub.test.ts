/** What stands at the address of a hub and is none, or is hostile: its clients say so, and lose and write nothing. */
import { existsSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createHubClient, type HubClient } from "../../src/hub/sync/hub-client.ts";
import { SCRIPTED_TOKEN } from "./scripted-hub.ts";
import { HASTY, newMachine } from "./syncing-machine.ts";

type Answer = (response: ServerResponse) => void;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Answers everything alike, and counts how often it was asked. */
async function answering(answer: Answer): Promise<{ readonly url: string; asked(): number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      asked++;
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

const json =
  (value: unknown, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
const page =
  (status: number): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "text/html" }).end("<!doctype html><h1>Sign in</h1>");
  };

const clientOf = (url: string): HubClient => createHubClient({ url, token: SCRIPTED_TOKEN, patience: HASTY });

describe("a client says at once", () => {
  it.each<[string, Answer, RegExp]>([
    ["a page to sign in", page(200), /answers with something that is not JSON$/],
    ["nothing", (response) => response.end(), /answers with something that is not JSON$/],
    ["null", json(null), /does not answer as a hub does$/],
    ["an object of something else", json({ status: "ok" }), /does not answer as a hub does$/],
    [
      "odd types",
      json({ user: 5, scopes: "push", teams: [null], machines: {} }),
      /not answer as a hub does$/,
    ],
    [
      "a redirect",
      (response) => response.writeHead(302, { location: "https://login.example.com/x?y" }).end(),
      /sends us to https:\/\/login\.example\.com, where/,
    ],
    [
      "more than fits",
      (response) =>
        response
          .writeHead(200, { "content-encoding": "gzip" })
          .end(gzipSync(Buffer.alloc(65 << 20), { level: 1 })),
      /answers with more than anybody asked for$/,
    ],
    ["that a request is too large", page(413), /takes no request of this size$/],
    ["a failure of several lines", json({ error: { code: "usage", message: "a\nb" } }, 400), /^a b$/],
  ])("that %s is no answer of a hub", async (_, answer, says) => {
    const { url, asked } = await answering(answer);
    await expect(clientOf(url).me()).rejects.toMatchObject({ message: expect.stringMatching(says) });
    expect(asked()).toBe(1);
  });

  it("and keeps no login there", async () => {
    const { url } = await answering(json({ status: "ok" }));
    const laptop = await newMachine("laptop");
    await expect(laptop.sync.login({ url, token: SCRIPTED_TOKEN })).rejects.toMatchObject({
      code: "hub-refused",
    });
    expect(existsSync(join(laptop.dataHome, "hub.json"))).toBe(false);
    laptop.remove();
  });
});

describe("a client asks again", () => {
  it.each<[string, Answer]>([
    [
      "when an answer breaks off",
      (response) => response.writeHead(200, { "content-length": 99 }).write("{", () => response.destroy()),
    ],
    ["when its request took too long", page(408)],
    ["when a proxy has no hub behind it", page(502)],
  ])("%s", async (_, answer) => {
    const { url, asked } = await answering(answer);
    await expect(clientOf(url).me()).rejects.toMatchObject({ code: "hub-unreachable" });
    expect(asked()).toBe(HASTY.attempts);
  });

  it("when nothing comes any more, and not because all of it takes long", async () => {
    vi.useFakeTimers();
    try {
      let body: ReadableStreamDefaultController<Uint8Array> | undefined;
      const client = createHubClient({
        ...{ url: "http://127.0.0.1", token: SCRIPTED_TOKEN, timeoutMs: 1000 },
        async fetch(_, init) {
          init?.signal?.addEventListener("abort", () => body?.error(init.signal?.reason));
          return new Response(
            new ReadableStream({
              start(given) {
                body = given;
              },
            }),
          );
        },
      });
      const parts = (await client.raw("a"))[Symbol.asyncIterator]();
      for (let part = 0; part < 5; part++) {
        const next = parts.next();
        await vi.advanceTimersByTimeAsync(900);
        body?.enqueue(new Uint8Array(7));
        expect(await next).toMatchObject({ value: { length: 7 } });
      }
      const last = parts.next();
      const failing = expect(last).rejects.toMatchObject({ code: "hub-unreachable" });
      await vi.advanceTimersByTimeAsync(1000);
      await failing;
    } finally {
      vi.useRealTimers();
    }
  });
});
