/** How a hub is reached: behind a proxy under its public name, and by clients that are slow or too many. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newToken } from "../../src/hub/database/credentials.ts";
import { toBinding } from "../../src/server/binding.ts";
import { askingAt, sessionOf } from "./asking.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { listenTo, serveHub } from "./served.ts";
import { newMachine } from "./syncing-machine.ts";

const PUBLIC = "https://hub.example.com";
let hub: TestHub;
let people: People;
let robin: Person;

beforeAll(async () => {
  hub = await newHub();
  people = await peopleOf(hub);
  robin = await people.add("robin", ["push", "read", "admin"]);
});
afterAll(async () => {
  await people.close();
  await hub.close();
});

describe("behind a proxy", () => {
  let served: Awaited<ReturnType<typeof listenTo>>;
  const { ask, post } = askingAt(() => served.port);
  beforeAll(async () => {
    served = await listenTo(hub, { binding: toBinding("0.0.0.0", undefined, "/", PUBLIC) });
  });
  afterAll(() => served.close(0));
  const host = { host: "hub.example.com" };

  it("is known by its public name, and to its pages alone", async () => {
    expect(served.urlFor(robin.token)).toMatch(/^https:\/\/hub\.example\.com\/\?code=/);
    expect((await ask("/api/hub/me", { headers: host }, robin.token)).status).toBe(200);
    const page = { ...host, origin: PUBLIC, "sec-fetch-site": "same-origin" };
    const entered = await post("/api/hub/sign-in", { token: robin.token }, page);
    const [set = ""] = entered.headers["set-cookie"] ?? [];
    expect(set).toMatch(
      /^__Host-rethread-hub-\d+=rth_\S+; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=/,
    );
    const cookie = set.split(";")[0] ?? "";
    expect(
      (await post("/api/hub/sign-out", {}, { ...page, cookie, origin: "https://evil.example" })).code,
    ).toBe("origin-refused");
    expect((await ask("/api/hub/me", { headers: { host: "evil.example" } }, robin.token)).code).toBe(
      "host-refused",
    );
    // A proxy that names itself instead of the public name.
    expect((await post("/api/hub/sign-out", {}, { cookie, origin: PUBLIC })).status).toBe(200);
  });

  it("slows down the address that the proxy tells of, and no other", async () => {
    const from = (address: string) => ({ headers: { ...host, "x-forwarded-for": `10.0.0.1, ${address}` } });
    for (let at = 0; at < 6; at++) await ask("/api/hub/me", from("192.0.2.1"), newToken(robin.account));
    expect((await ask("/api/hub/me", from("192.0.2.1"), newToken(robin.account))).status).toBe(429);
    expect((await ask("/api/hub/me", from("192.0.2.2"), newToken(robin.account))).status).toBe(401);
    expect((await ask("/api/hub/me", from("192.0.2.1"), robin.token)).status).toBe(200);
  });

  it.each([
    "hub.example.com",
    "http://hub.example.com",
    "https://hub.example.com/team",
    "https://a:b@hub.example.com",
    "ftp://x",
  ])("takes no such address: %s", (address) => {
    expect(() => toBinding("0.0.0.0", undefined, "/", address)).toThrow(
      expect.objectContaining({ code: "usage" }),
    );
  });

  it("listens beyond this machine neither without TLS nor without a proxy", () => {
    expect(() => toBinding("0.0.0.0", undefined, "/")).toThrow(expect.objectContaining({ code: "usage" }));
  });
});

describe("a client", () => {
  it("that sends its push too slowly is cut off, while others are served", async () => {
    const served = await listenTo(hub, { timeouts: { headersMs: 400, requestMs: 800, checkMs: 50 } });
    const { push } = askingAt(() => served.port);
    const slow = Array.from({ length: 30 }, () => {
      const socket = connect(served.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(
        `POST /api/hub/push HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${robin.token}\r\nContent-Type: application/vnd.rethread.push\r\nContent-Length: 16777216\r\n\r\nx`,
      );
      return new Promise<string>((resolve) => {
        let text = "";
        socket.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        socket.on("close", () => resolve(text));
      });
    });
    const other = await people.add("other");
    expect((await push(sessionOf("quick", ["a"]), other.token)).status).toBe(200);
    for (const text of await Promise.all(slow)) expect(text).toMatch(/^(HTTP\/1\.1 408|$)/);
    await served.close(0);
  });

  it("that is asked to come back does so, and not before", async () => {
    let refusals = 0;
    const served = await serveHub(hub, {
      intercept(path, response) {
        if (path !== "/api/hub/push" || refusals >= 2) return false;
        refusals++;
        response.writeHead(refusals === 1 ? 429 : 503, {
          "retry-after": "7",
          "content-type": "application/json",
        });
        response.end(JSON.stringify({ error: { code: "too-many-requests", message: "wait", hint: "" } }));
        return true;
      },
    });
    const waits: number[] = [];
    const laptop = await newMachine(
      "patient",
      { RETHREAD_HUB_URL: served.url, RETHREAD_HUB_TOKEN: robin.token },
      { attempts: 4, firstMs: 1, longestMs: 2, random: () => 0.5, sleep: async (ms) => void waits.push(ms) },
    );
    laptop.session("0b1c2d3e-0000-4000-8000-00000000000c", laptop.clone("acme/shop"), ["first"]);
    expect(await laptop.sync.push({ consents: true })).toMatchObject({ outcome: "clean", created: 1 });
    expect(waits).toEqual([7000, 7000]);
    laptop.remove();
    await served.close();
  });

  it("is one of two hundred: all of their pushes are stored, each once", async () => {
    const served = await listenTo(hub);
    const { push } = askingAt(() => served.port);
    const person = await people.add("crowd");
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => push(sessionOf(`crowd-${at}`, ["a", "b"]), person.token)),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const [row] = await people.ask(
      "SELECT count(*)::int AS pieces, sum(events)::int AS events FROM hub.raw_events WHERE account_id = $1",
      [person.account],
    );
    expect(row).toEqual({ pieces: 200, events: 400 });
    await served.close(0);
  });
});
