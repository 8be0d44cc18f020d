/** A hub over real sockets: who gets in, with what, and what each scope opens. */
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { newToken } from "../../src/hub/database/credentials.ts";
import { PUSH_MEDIA } from "../../src/hub/protocol.ts";
import { hubEndpoints } from "../../src/server/hub/endpoints.ts";
import type { Answered as Seen } from "../../src/server/router.ts";
import { askingAt, frameOf, sessionOf } from "./asking.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { listenTo } from "./served.ts";

let hub: TestHub;
let people: People;
let robin: Person;
let ada: Person;
let served: Awaited<ReturnType<typeof listenTo>>;
const seen: Seen[] = [];
const reported: unknown[] = [];

beforeAll(async () => {
  hub = await newHub();
  people = await peopleOf(hub);
  robin = await people.add("robin", ["push", "read", "admin"]);
  ada = await people.add("ada");
  await people.team("team", robin);
  served = await listenTo(hub, {
    hasOpenMetrics: true,
    seen: (each) => void seen.push(each),
    report: (error) => void reported.push(error),
  });
});
afterAll(async () => {
  await served.close(0);
  await people.close();
  await hub.close();
  expect(reported).toEqual([]);
});

const { ask, post, push } = askingAt(() => served.port);
const own = () => ({ origin: `http://127.0.0.1:${served.port}`, "sec-fetch-site": "same-origin" });
/** A browser that is signed in. */
const signedIn = async ({ token }: Person): Promise<string> => {
  const { headers } = await post("/api/hub/sign-in", { token }, own());
  return headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
};

describe("a token", () => {
  it("is known, with its scopes and teams", async () => {
    const { status, json } = await ask("/api/hub/me", {}, robin.token);
    expect([status, json()]).toEqual([
      200,
      {
        schemaVersion: 1,
        user: "robin",
        scopes: ["push", "read", "admin"],
        teams: [{ name: "team" }],
        machines: [],
      },
    ]);
  });

  it("is noted when it was used", async () => {
    const last = "SELECT last_used_at FROM hub.tokens WHERE account_id = $1 AND kind = 'program'";
    await ask("/api/hub/me", {}, ada.token);
    await expect
      .poll(async () => (await people.ask(last, [ada.account]))[0]?.last_used_at)
      .toBeInstanceOf(Date);
  });

  it("is not needed for health, which says that a hub runs and nothing of its data", async () => {
    const { json, headers } = await ask("/api/health");
    expect(json()).toEqual({ schemaVersion: 1, status: "ok", mode: "hub", version: expect.any(String) });
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });
});

describe("nobody gets in", () => {
  const secretOf = (token: string): string => token.split("_").slice(2).join("_");
  const wrong = (): readonly (readonly [string, Record<string, string>])[] => [
    ["without a token", {}],
    ["with an empty one", { authorization: "Bearer " }],
    ["with no word before it", { authorization: robin.token }],
    [
      "with another scheme",
      { authorization: `Basic ${Buffer.from(`robin:${robin.token}`).toString("base64")}` },
    ],
    ["with what is no token", { authorization: "Bearer rth_1" }],
    ["with one of an account that is not there", { authorization: `Bearer ${newToken(randomUUID())}` }],
    ["with a made-up secret", { authorization: `Bearer ${newToken(robin.account)}` }],
    [
      "with the account of another and one's own secret",
      {
        authorization: `Bearer rth_${robin.account.replaceAll("-", "")}_${secretOf(ada.token)}`,
      },
    ],
    ["with SQL in place of a secret", { authorization: "Bearer rth_' OR true --" }],
    ["with a token of wrong case", { authorization: `Bearer ${robin.token.toUpperCase()}` }],
    ["with two tokens", { authorization: `Bearer ${robin.token}, Bearer ${ada.token}` }],
    ["with a made-up cookie", { cookie: `rethread-hub-${served.port}=${newToken(robin.account)}` }],
    [
      "with a signed value instead of a token",
      {
        cookie: `rethread-hub-${served.port}=99999999999999.${randomBytes(32).toString("base64url")}`,
      },
    ],
    ["with the hash that the database keeps", { authorization: `Bearer ${robin.proof}` }],
  ];
  it("by any of these", async () => {
    for (const [how, headers] of wrong()) {
      const { status, code } = await ask("/api/hub/me", { headers });
      expect([how, status, code]).toEqual([
        how,
        expect.toBeOneOf([401, 429]),
        expect.toBeOneOf(["not-signed-in", "too-many-requests"]),
      ]);
    }
  });

  it("by a token in the address", async () => {
    for (const name of ["token", "access_token", "authorization"])
      expect((await ask(`/api/hub/me?${name}=${robin.token}`)).status).toBe(401);
  });

  it("by a token that has ended, and by the others of an account that was revoked", async () => {
    const gone = await people.add("gone");
    const use = async (): Promise<number> => (await ask("/api/hub/me", {}, gone.token)).status;
    expect(await use()).toBe(200);
    const end = (sql: string) => people.ask(sql, [gone.account]);
    await end("UPDATE hub.tokens SET expires_at = now() - interval '1 second' WHERE account_id = $1");
    expect(await use()).toBeGreaterThan(400);
    await end("UPDATE hub.tokens SET expires_at = NULL, revoked_at = now() WHERE account_id = $1");
    expect(await use()).toBeGreaterThan(400);
    await end("UPDATE hub.tokens SET revoked_at = NULL WHERE account_id = $1");
    expect(await use()).toBe(200);
    const cookie = await signedIn(gone);
    await end("UPDATE hub.accounts SET revoked_at = now() WHERE account_id = $1");
    expect(await use()).toBeGreaterThan(400);
    expect((await ask("/api/hub/me", { headers: { cookie } })).status).toBeGreaterThan(400);
  });

  it("by trying: wrong tokens have to wait, and right ones never", async () => {
    const answers = [];
    for (let at = 0; at < 8; at++) answers.push(await ask("/api/hub/me", {}, newToken(robin.account)));
    expect(answers.at(-1)).toMatchObject({ status: 429, code: "too-many-requests" });
    expect(Number(answers.at(-1)?.headers["retry-after"])).toBeGreaterThan(0);
    expect((await post("/api/hub/sign-in", { token: newToken(robin.account) }, own())).status).toBe(429);
    expect((await ask("/api/hub/me", {}, robin.token)).status).toBe(200);
  });
});

describe("a browser", () => {
  it("signs in with a token, gets a cookie of its own, and out again", async () => {
    const answer = await post("/api/hub/sign-in", { token: robin.token }, own());
    expect(answer.json()).toMatchObject({ user: "robin" });
    const [set = ""] = answer.headers["set-cookie"] ?? [];
    expect(set).toMatch(
      /^rethread-hub-\d+=rth_\S+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43(199|200)$/,
    );
    expect(set).not.toContain(robin.token);
    const cookie = set.split(";")[0] ?? "";
    expect((await ask("/api/hub/me", { headers: { cookie } })).json()).toMatchObject({ user: "robin" });
    const web = cookie.split("=")[1] ?? "";
    expect((await post("/api/hub/sign-in", { token: web }, own())).code).toBe("not-signed-in");
    const out = await post("/api/hub/sign-out", {}, { cookie, ...own() });
    expect(out.headers["set-cookie"]?.[0]).toMatch(/^rethread-hub-\d+=; .*Max-Age=0$/);
    expect((await ask("/api/hub/me", { headers: { cookie } })).status).toBeGreaterThan(400);
    expect((await ask("/api/hub/me", {}, robin.token)).status).toBe(200);
  });

  it("opens the printed address once", async () => {
    const { pathname, search } = new URL(served.urlFor(robin.token));
    expect((await ask(pathname + search, { method: "HEAD" })).status).toBe(204);
    const opened = await ask(pathname + search);
    expect([opened.status, opened.headers.location]).toEqual([303, "/"]);
    const cookie = opened.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    expect((await ask("/api/hub/me", { headers: { cookie } })).json()).toMatchObject({ user: "robin" });
    expect((await ask(pathname + search)).status).toBeGreaterThan(400);
  });

  it("is let change nothing from elsewhere, whatever it carries", async () => {
    const cookie = await signedIn(robin);
    const elsewhere: readonly Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `http://127.0.0.1:${served.port + 1}` },
      { origin: own().origin, "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of elsewhere) {
      expect((await post("/api/hub/sign-out", {}, { cookie, ...headers })).code).toBe("origin-refused");
      expect((await post("/api/hub/delete", { session: "x" }, headers, robin.token)).code).toBe(
        "origin-refused",
      );
      expect((await ask("/api/hub/me", { headers: { cookie, ...headers } })).code).toBe("origin-refused");
      expect((await post("/api/hub/sign-in", { token: robin.token }, headers)).code).toBe("origin-refused");
    }
    // Nothing says where it comes from.
    expect((await post("/api/hub/sign-out", {}, { cookie })).code).toBe("origin-refused");
    expect((await ask("/api/hub/me", { headers: { cookie } })).status).toBe(200);
  });

  it("of a form sends nothing that is taken for JSON", async () => {
    const headers = { "content-type": "text/plain", ...own() };
    const body = JSON.stringify({ token: robin.token });
    expect((await ask("/api/hub/sign-in", { method: "POST", headers, body })).code).toBe(
      "media-not-supported",
    );
  });
});

it.each([
  "evil.example",
  "127.0.0.1.evil.example",
  "localhost@evil.example",
  "127.0.0.1:1:2",
  "hub.example.com",
])("answers to no other name: %j", async (host) => {
  for (const path of ["/api/hub/me", "/api/health"]) {
    const { status, text } = await ask(path, { headers: { host } }, robin.token);
    // What is no name at all is refused before it is looked at.
    expect(status).toBeOneOf([400, 403]);
    expect(text).not.toMatch(/robin|"ok"/);
  }
});

it.each([
  "//api/hub/me",
  "/api/hub/../hub/me",
  "/api/hub/%2e%2e/hub/me",
  "/api/hub%2fme",
  "/api/hub\\me",
  "/api/hub/me%00",
  "/api/hub/me%",
  "/api/./hub/me",
  "http://127.0.0.1/api/hub/me",
])("takes no path that leads elsewhere: %s", async (path) => {
  const { status, text } = await ask(path, {}, robin.token);
  expect([status, text.includes("robin")]).toEqual([400, false]);
});

it.each(["/api/hub/ME", "/API/hub/me", "/api/hub/me/", "/api/hub/nothing", "/api", "/api/"])(
  "has no such address: %s",
  async (path) => {
    const { status, text } = await ask(path, {}, robin.token);
    expect([status === 404, text.includes("<h1>Rethread is running")]).toContain(true);
    expect(text).not.toContain("robin");
  },
);

describe("every address", () => {
  const endpoints = hubEndpoints(z);
  const paths = endpoints.map(({ method, path, needs, output }) => ({
    method,
    needs,
    output,
    name: `${method} ${path}`,
    path: path.replaceAll(/\{\w+\}/g, "x"),
  }));
  const call = ({ method, path }: (typeof paths)[number], token?: string) =>
    method === "GET"
      ? ask(path, { headers: { "x-forwarded-for": "192.0.2.1" } }, token)
      : ask(path, { method, headers: { "content-type": "application/json" }, body: "{}" }, token);

  it("that is not open wants a token", async () => {
    const open = [];
    for (const each of paths) if ((await call(each)).status !== 401) open.push(each.name);
    expect(open).toEqual(["GET /api/health", "GET /api/ready", "POST /api/hub/sign-in"]);
  });

  it.each([[[]], [["push"]], [["read"]], [["admin"]], [["push", "read", "admin"]]])(
    "asks for its scope: %j",
    async (scopes) => {
      const person = await people.add(`with-${scopes.join("-")}`, scopes);
      for (const each of paths) {
        if (each.name === "POST /api/hub/sign-out") continue;
        const isAllowed = ["open", "any", ...scopes].includes(each.needs);
        const { code, status, headers, text } = await call(each, person.token);
        expect([each.name, code === "hub-refused"]).toEqual([each.name, !isAllowed]);
        if (
          status !== 200 ||
          !each.output ||
          headers["content-type"]?.startsWith("application/json") !== true
        )
          continue;
        const parsed = each.output(z).safeParse(JSON.parse(text));
        expect([each.name, parsed.error?.message]).toEqual([each.name, undefined]);
      }
    },
  );

  it("takes no NUL in any parameter, and no request for a defect", async () => {
    const all = await people.add("with-all", ["push", "read", "admin"]);
    const failed: string[] = [];
    for (const { path, parameters = [] } of endpoints)
      for (const { name } of parameters.filter((each) => each.in === "query")) {
        const address = `${path.replaceAll(/\{\w+\}/g, "x")}?${name}=%00`;
        if ((await ask(address, {}, all.token)).status >= 500) failed.push(address);
      }
    expect(failed).toEqual([]);
  });

  it("answers other methods with those that it takes", async () => {
    const { status, headers, code } = await ask("/api/hub/push", {}, robin.token);
    expect([status, code, headers.allow]).toEqual([405, "method-not-allowed", "POST, OPTIONS"]);
  });
});

describe("a push", () => {
  it("is stored once, however often it is sent, and for whose token it is", async () => {
    const one = sessionOf("replayed", ["a", "b"]);
    expect((await push(one, robin.token)).json()).toMatchObject({
      created: true,
      events: 2,
      backfill: "queued",
    });
    expect((await push(one, robin.token)).json()).toMatchObject({
      created: false,
      events: 0,
      backfill: "none",
    });
    const both = await Promise.all([push(one, robin.token), push(one, robin.token), push(one, robin.token)]);
    expect(both.map((each) => each.json().events)).toEqual([0, 0, 0]);
    expect((await push(one, ada.token)).json()).toMatchObject({ created: true, events: 2 });
    const rows = await people.ask(
      "SELECT account_id, count(*)::int AS n FROM hub.raw_events WHERE session_id LIKE '%replayed%' GROUP BY 1",
    );
    expect(new Map(rows.map(({ account_id, n }) => [account_id, n]))).toEqual(
      new Map([
        [robin.account, 1],
        [ada.account, 1],
      ]),
    );
  });

  it("is read and deleted by its owner alone", async () => {
    await push(sessionOf("mine", ["secret words"]), robin.token);
    const { sessions } = (await ask("/api/hub/own", {}, robin.token)).json<{
      sessions: { id: string; session: string }[];
    }>();
    const session = sessions.find(({ id }) => id === "mine")?.session ?? "";
    const raw = (token: string) => ask(`/api/hub/raw?session=${encodeURIComponent(session)}`, {}, token);
    expect((await raw(robin.token)).headers["content-type"]).toBe(PUSH_MEDIA);
    expect((await raw(ada.token)).code).toBe("session-not-found");
    expect((await post("/api/hub/delete", { session }, {}, ada.token)).code).toBe("session-not-found");
    expect((await raw("")).status).toBeGreaterThan(400);
    expect((await post("/api/hub/delete", { session }, {}, robin.token)).json()).toMatchObject({
      rawFiles: 1,
    });
    expect((await raw(robin.token)).code).toBe("session-not-found");
  });

  const broken = (): readonly (readonly [string, Uint8Array])[] => {
    const good = Buffer.from(frameOf(sessionOf("broken", ["a"])));
    const length = (bytes: number): Buffer => {
      const made = Buffer.alloc(4);
      made.writeUInt32BE(bytes);
      return made;
    };
    const withHeader = (text: string): Buffer =>
      Buffer.concat([length(Buffer.byteLength(text)), Buffer.from(text)]);
    const changed = (fields: object): Buffer => {
      const { header, bodies } = sessionOf("broken", ["a"]);
      return Buffer.concat([withHeader(JSON.stringify({ ...header, ...fields })), ...bodies]);
    };
    const [file] = sessionOf("broken", ["a"]).header.files;
    return [
      ["nothing", Buffer.alloc(0)],
      ["half a length", Buffer.alloc(2)],
      ["a header that is longer than all", Buffer.concat([length(2 ** 31), Buffer.from("{}")])],
      ["no JSON", withHeader("{")],
      ["JSON that is no header", withHeader("[]")],
      ["a header without bodies", withHeader("{}")],
      ["a body that is cut off", good.subarray(0, good.length - 1)],
      ["more than it says", Buffer.concat([good, Buffer.from("x")])],
      ["a flipped bit", Buffer.concat([good.subarray(0, -3), Buffer.from([255, 1, 2])])],
      ["a path that leads elsewhere", changed({ files: [{ ...file, path: "../../etc/passwd" }] })],
      ["a negative length", changed({ bodies: [-1] })],
      ["another source of bytes", changed({ source: "../x" })],
      ["a field nobody knows", changed({ account_id: robin.account })],
    ];
  };
  it("that is broken is refused, and leaves nothing", async () => {
    for (const [how, body] of broken()) {
      const { status, code } = await ask(
        "/api/hub/push",
        { method: "POST", body, headers: { "content-type": PUSH_MEDIA } },
        ada.token,
      );
      expect([how, status, code]).toEqual([how, 400, "usage"]);
    }
    expect(await people.ask("SELECT 1 FROM hub.sessions WHERE vendor_id = 'broken'")).toEqual([]);
  });

  it("that is too large is refused, whether it says so or not", async () => {
    const headers = { "content-type": PUSH_MEDIA };
    const body = Buffer.alloc((16 << 20) + 1);
    const counted = await ask(
      "/api/hub/push",
      { method: "POST", body: "x", headers: { ...headers, "content-length": "16777217" } },
      ada.token,
    ).catch(() => ({ status: 413, code: "too-large" }));
    expect([counted.status, counted.code]).toEqual([413, "too-large"]);
    const chunked = await ask(
      "/api/hub/push",
      { method: "POST", body, headers: { ...headers, "transfer-encoding": "chunked" } },
      ada.token,
    );
    expect([chunked.status, chunked.code]).toEqual([413, "too-large"]);
    expect(
      (
        await ask(
          "/api/hub/push",
          { method: "POST", body: "{}", headers: { "content-type": "application/json" } },
          ada.token,
        )
      ).code,
    ).toBe("media-not-supported");
  });

  it("needs no more than its own input elsewhere, too", async () => {
    const wrong: readonly (readonly [string, unknown])[] = [
      ["/api/hub/state", {}],
      ["/api/hub/state", { machine: 1, sessions: [] }],
      ["/api/hub/state", { machine: "m", sessions: [{ source: "a", id: "b\0" }] }],
      ["/api/hub/delete", { session: "" }],
      ["/api/hub/delete", { session: ["a"] }],
      ["/api/hub/sign-in", { token: 1 }],
      ["/api/hub/reindex", { user: 1 }],
    ];
    for (const [path, body] of wrong)
      expect([path, (await post(path, body, {}, robin.token)).code]).toEqual([path, "usage"]);
    expect((await post("/api/hub/reindex", { user: "nobody-here" }, {}, robin.token)).code).toBe(
      "user-not-found",
    );
  });
});

describe("what watches a hub", () => {
  it("learns whether it is ready", async () => {
    const { status, json } = await ask("/api/ready");
    expect([status, json()]).toEqual([
      200,
      {
        schemaVersion: 1,
        ready: true,
        checks: { database: true, schema: true, queue: true, serving: true },
      },
    ]);
  });

  it("reads numbers that Prometheus understands, without a token only on this machine", async () => {
    await ask("/api/hub/me", {}, robin.token);
    const { text, headers } = await ask("/metrics");
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    const samples = parsedMetrics(text);
    expect(
      samples.get('rethread_hub_requests_total{method="GET",route="/api/hub/me",status="200"}'),
    ).toBeGreaterThan(0);
    expect(
      samples.get('rethread_hub_requests_total{method="GET",route="/api/hub/me",status="401"}'),
    ).toBeGreaterThan(0);
    expect(samples.get('rethread_hub_request_duration_seconds_bucket{route="/api/hub/me",le="+Inf"}')).toBe(
      samples.get('rethread_hub_request_duration_seconds_count{route="/api/hub/me"}'),
    );
    expect(samples.get("rethread_hub_pushes_total")).toBeGreaterThan(3);
    expect(samples.get("rethread_hub_bytes_received_total")).toBeGreaterThan(100);
    expect(samples.get("rethread_hub_database_up")).toBe(1);
    expect(samples.has('rethread_hub_backfill_jobs{state="waiting"}')).toBe(true);
    expect(samples.get('rethread_hub_pool_connections{role="app",state="idle"}')).toBeGreaterThan(0);
    expect(text).not.toMatch(/robin|rth_/);
    for (const headers of [{ "x-forwarded-for": "192.0.2.1" }, { forwarded: "for=192.0.2.1" }])
      expect((await ask("/metrics", { headers })).status).toBeGreaterThan(400);
    expect((await ask("/metrics", { headers: { "x-forwarded-for": "192.0.2.1" } }, robin.token)).status).toBe(
      200,
    );
  });

  it("sees each request once, by its route, with nothing of what was asked", async () => {
    seen.length = 0;
    await ask(`/api/hub/raw?session=${"secret"}`, {}, ada.token);
    await ask("/api/hub/me?token=rth_secret");
    expect(seen.map(({ route, status, code, user }) => [route, status, code, user])).toEqual([
      ["/api/hub/raw", 404, "session-not-found", "ada"],
      ["/api/hub/me", 401, "not-signed-in", undefined],
    ]);
    expect(JSON.stringify(seen)).not.toContain("secret");
  });

  it("is told of the whole as an admin", async () => {
    const { json } = await ask("/api/hub/status", {}, robin.token);
    expect(json()).toMatchObject({
      teams: 1,
      sessionCount: 2,
      sealed: 0,
      raw: { files: 2, events: 4 },
      // That of a session which was deleted finds nothing to do.
      backfill: { waiting: 3, failed: 0, behind: 2, failures: [] },
      postgres: expect.stringMatching(/^\d/),
    });
    expect((await post("/api/hub/reindex", {}, {}, robin.token)).json()).toMatchObject({ queued: 0 });
    const noted = await people.ask(
      "SELECT actor, detail FROM hub.audit WHERE action = 'reindex' AND actor = $1",
      [robin.account],
    );
    expect(noted).toEqual([{ actor: robin.account, detail: { queued: 0 } }]);
  });

  it("is refused as SQL, too, without the scope admin", async () => {
    for (const call of [
      "hub.admin_state()",
      "hub.admin_reindex(NULL)",
      "hub.whole_state()",
      "hub.reindex_rows(NULL)",
    ])
      await expect(hub.db.as(ada, (tx) => tx.query(`SELECT ${call}`))).rejects.toMatchObject({
        code: "42501",
      });
  });
});

/** Every line of the text format, or an error. */
function parsedMetrics(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const types = new Set<string>();
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.split("\n").slice(0, -1)) {
    const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line)?.[1];
    if (type !== undefined) {
      expect(types.has(type)).toBe(false);
      types.add(type);
    } else if (!/^# HELP [a-z_]+ .+$/.test(line)) {
      const [, name = "", family = "", value = ""] =
        /^(([a-z_]+?)(?:_bucket|_sum|_count)?(?:\{[a-z]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z]+="(?:[^"\\\n]|\\[\\"n])*")*\})?) (\d[\d.e+-]*|\+Inf)$/.exec(
          line,
        ) ?? [];
      expect([
        line,
        name !== "",
        types.has(family) || [...types].some((each) => name.startsWith(each)),
      ]).toEqual([line, true, true]);
      samples.set(name, Number(value));
    }
  }
  return samples;
}
