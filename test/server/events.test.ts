/** Live events: what happens reaches every client, over any number of connections, and nothing is lost between two. */
import { appendFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LiveEvent } from "../../src/client/live-events.ts";
import { createEventHub } from "../../src/server/event-hub.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

interface Listening {
  readonly events: LiveEvent[];
  /** Until there is such an event. */
  until(is: (event: LiveEvent) => boolean): Promise<LiveEvent>;
  leave(): Promise<void>;
}

/** One connection, from a place in the stream. */
function listen(): Listening {
  const control = new AbortController();
  const events: LiveEvent[] = [];
  const waiting = new Set<() => void>();
  const ended = server.client.events({
    signal: control.signal,
    onEvent(event) {
      events.push(event);
      for (const each of [...waiting]) each();
    },
  });
  return {
    events,
    until: (is) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = events.find(is);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async leave() {
      control.abort();
      await ended;
    },
  };
}

/** What one connection tells before anything else happens. */
async function firstOf(headers: Record<string, string>): Promise<string> {
  const control = new AbortController();
  const response = await fetch(`http://127.0.0.1:${server.port}/api/events`, {
    headers: { authorization: `Bearer ${server.token}`, ...headers },
    signal: control.signal,
  });
  let text = "";
  for await (const piece of response.body ?? []) {
    text += new TextDecoder().decode(piece as Uint8Array);
    if (text.includes("event: ready")) break;
  }
  control.abort();
  return text;
}

const rename = async (name: string): Promise<string> => {
  const [session] = (await server.client.sessions({ source: "copilot-cli", limit: 1 })).sessions;
  const plan = await server.client.plan("rename", { session: `copilot-cli:${session?.id}`, name });
  return (await server.client.apply(plan.fingerprint)).operation;
};

it("tells of sessions that were tagged, which are filtered by that at once", async () => {
  const { client } = server;
  const listening = listen();
  await listening.until(({ type }) => type === "ready");
  const [one, two] = (await client.sessions({ limit: 2, sort: "title" })).sessions;
  const keys = [one, two].map((each) => `${each?.source}:${each?.id}`);
  const { sessions } = await client.tag({ sessions: keys, add: ["Both", "a b"] });
  expect(sessions.map(({ tags }) => tags)).toEqual([
    ["a b", "both"],
    ["a b", "both"],
  ]);
  for (const { id } of sessions)
    await listening.until(
      ({ type, data }) =>
        type === "session-changed" && "change" in data && data.change === "tagged" && data.id === id,
    );
  await listening.leave();
  const found = await client.sessions({ tag: ["both", "a b"], facets: true, sort: "title" });
  expect(found.sessions.map(({ id }) => id)).toEqual([one?.id, two?.id]);
  expect(found.facets?.tag).toEqual([
    { value: "a b", count: 2 },
    { value: "both", count: 2 },
  ]);
  expect((await client.session(keys[0] ?? "")).session.tags).toEqual(["a b", "both"]);
  expect((await client.tags()).tags).toEqual([
    { tag: "a b", count: 2 },
    { tag: "both", count: 2 },
  ]);
  await expect(client.tag({ sessions: keys, add: ["x".repeat(41)] })).rejects.toMatchObject({
    status: 400,
    code: "usage",
  });
});

it("tells of a write, and of the session that it changed", async () => {
  const listening = listen();
  await listening.until(({ type }) => type === "ready");
  const operation = await rename("Told");
  const done = await listening.until(({ type }) => type === "write-done");
  expect(done.data).toMatchObject({ operation, kind: "rename" });
  const changed = await listening.until(
    ({ type, data }) => type === "session-changed" && "change" in data && data.change === "changed",
  );
  expect(changed.data).toMatchObject({ source: "copilot-cli" });
  await listening.leave();
});

it("tells of what an agent writes", async () => {
  const listening = listen();
  await listening.until(({ type }) => type === "ready");
  const [session] = (await server.client.sessions({ source: "copilot-cli", limit: 1, sort: "active" }))
    .sessions;
  const line = {
    type: "user.message",
    data: { content: "one more" },
    id: "x",
    timestamp: "2026-11-18T00:00:00.000Z",
  };
  appendFileSync(session?.path ?? "", `${JSON.stringify(line)}\n`);
  const changed = await listening.until(
    ({ type, data }) => type === "session-changed" && "id" in data && data.id === session?.id,
  );
  expect(changed.data).toMatchObject({ source: "copilot-cli", id: session?.id, change: "changed" });
  await listening.leave();
});

it("sends what was missed to who comes back, each event once", async () => {
  const before = listen();
  const ready = await before.until(({ type }) => type === "ready");
  await before.leave();
  const operations = [await rename("While away"), await rename("And again")];
  const missed = await firstOf({ "last-event-id": ready.id });
  for (const operation of operations) expect(missed.split(`"operation":"${operation}"`)).toHaveLength(2);
  expect(missed).not.toContain("event: reset");
});

it("says so where it cannot know what was missed", async () => {
  expect(await firstOf({ "last-event-id": "another-run-7" })).toMatch(
    /event: reset\ndata: \{"why":"restarted"\}/,
  );
  expect(await firstOf({})).not.toContain("reset");
});

it("tells of conversations", async () => {
  const listening = listen();
  await listening.until(({ type }) => type === "ready");
  await server.client.send({ message: "Hello", workspace: server.folder }, () => undefined);
  const told = await listening.until(({ type }) => type === "chat-changed");
  expect(told.data).toMatchObject({ id: expect.any(String) });
  await listening.leave();
});

describe("the hub", () => {
  it("keeps so many events, and says when one is too old", async () => {
    const hub = createEventHub("run");
    for (let count = 1; count <= 2500; count++) hub.publish("job-changed", { job: String(count) });
    const first = async (since: string): Promise<string> => {
      const reader = hub.stream(since, new AbortController().signal).getReader();
      const { value } = await reader.read();
      await reader.cancel();
      return new TextDecoder().decode(value);
    };
    expect((await first("run-2498")).match(/event: (job-changed|reset)/g)).toEqual(
      Array(2).fill("event: job-changed"),
    );
    expect((await first("run-500")).match(/event: job-changed/g)).toHaveLength(2000);
    expect(await first("run-499")).toContain('event: reset\ndata: {"why":"too-old"}');
    expect(await first("run-2501")).toContain("event: reset");
    expect(await first("run-x")).toContain("event: reset");
    hub.close();
  });

  it("leaves a client that takes nothing, and holds no more for it than it may", async () => {
    const hub = createEventHub("run");
    const stream = hub.stream(undefined, new AbortController().signal);
    for (let count = 1; count <= 5000; count++) hub.publish("job-changed", { job: String(count) });
    let pieces = 0;
    for await (const _ of stream) pieces++;
    expect(pieces).toBeLessThanOrEqual(501);
    hub.close();
  });
});
