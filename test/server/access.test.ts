/** Who is let in, and who is not: over real sockets, with requests as an attacker would write them. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send, signIn, startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await startTestServer({ timeouts: { headersMs: 400, requestMs: 800, checkMs: 100 } });
  cookie = await signIn(server);
});
afterAll(() => server.stop());

const own = (): string => `http://127.0.0.1:${server.port}`;

describe("the token", () => {
  it("opens the API", async () => {
    expect(await server.ask("/api/sessions?limit=1")).toMatchObject({ status: 200 });
  });

  it.each([
    ["nothing", {}],
    ["an empty header", { authorization: "" }],
    ["a wrong token", { authorization: "Bearer wrong" }],
    ["another scheme", { authorization: "Basic d3Jvbmc6d3Jvbmc=" }],
    ["a wrong cookie", { cookie: "rethread-1=1.x" }],
    [
      "a forged cookie",
      { cookie: "rethread-PORT=99999999999999.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" },
    ],
  ])("is needed: %s does not do", async (_, headers) => {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("PORT", String(server.port))]),
    );
    const answer = await server.ask("/api/sessions", { bare: true, headers: sent });
    expect(answer).toMatchObject({ status: 401, code: "not-signed-in" });
    expect(answer.headers["www-authenticate"]).toContain("Bearer");
    expect(answer.json<{ error: object }>().error).toMatchObject({
      hint: expect.stringContaining("rethread serve --demo;"),
      remedy: { action: "serve", demo: true },
    });
  });

  it("is not taken from the address", async () => {
    const { status } = await server.ask(`/api/sessions?token=${server.token}`, { bare: true });
    expect(status).toBe(401);
  });

  it("is not needed for the health, which tells nothing of the homes", async () => {
    const answer = await server.ask("/api/health", { bare: true });
    expect(answer.json()).toEqual({
      schemaVersion: 1,
      status: "ok",
      version: expect.any(String),
      instance: expect.any(String),
      isReadOnly: false,
    });
  });

  it("is slowed down when it is guessed, and the right one is not", async () => {
    const answers = [];
    for (let guess = 0; guess < 12; guess++)
      answers.push(
        await server.ask("/api/sessions", { bare: true, headers: { authorization: `Bearer ${guess}` } }),
      );
    const slowed = answers.filter(({ status }) => status === 429);
    expect(slowed.length).toBeGreaterThan(3);
    for (const { headers } of slowed) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect(await server.ask("/api/sessions?limit=1")).toMatchObject({ status: 200 });
  });
});

describe("the one-time code", () => {
  it("becomes a cookie that scripts and other sites do not get, and leaves the address", async () => {
    const { code } = (await server.post("/api/codes", {})).json<{ code: string }>();
    const answer = await server.ask(`/s/vscode:1?code=${code}&turn=3`, { bare: true });
    expect(answer).toMatchObject({ status: 303, headers: { location: "/s/vscode:1?turn=3" } });
    expect(answer.headers["set-cookie"]?.[0]).toMatch(/^rethread-\d+=.*; HttpOnly; SameSite=Strict/);
    const set = answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    expect(await server.ask("/api/overview", { bare: true, headers: { cookie: set } })).toMatchObject({
      status: 200,
    });
  });

  it("works once", async () => {
    const { code } = (await server.post("/api/codes", {})).json<{ code: string }>();
    expect((await server.ask(`/?code=${code}`, { bare: true })).status).toBe(303);
    const again = await server.ask(`/?code=${code}`, { bare: true });
    expect([401, 429]).toContain(again.status);
    expect(again.headers["set-cookie"]).toBeUndefined();
  });

  it("is not used up by a look at the link", async () => {
    const { code } = (await server.post("/api/codes", {})).json<{ code: string }>();
    await server.ask(`/?code=${code}`, { bare: true, method: "HEAD" });
    expect((await server.ask(`/?code=${code}`, { bare: true })).status).toBe(303);
  });

  it("sends nobody elsewhere", async () => {
    const { code } = (await server.post("/api/codes", {})).json<{ code: string }>();
    const { headers, status } = await server.ask(`//evil.example/?code=${code}`, { bare: true });
    expect({ status, location: headers.location }).toEqual({ status: 400, location: undefined });
  });
});

describe("a page of another site", () => {
  it.each([
    "evil.example",
    "evil.example:PORT",
    "127.0.0.1.evil.example",
    "localhost.evil.example:PORT",
    "127.0.0.1@evil.example",
    "[::1].evil.example",
  ])("cannot come under its own name %j (DNS rebinding)", async (host) => {
    for (const path of ["/api/health", "/api/sessions", "/", "/assets/x.js"]) {
      const answer = await server.ask(path, {
        headers: { host: host.replace("PORT", String(server.port)), cookie },
      });
      expect([400, 403]).toContain(answer.status);
      expect(answer.text).not.toContain("sessions");
    }
  });

  it.each(["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])("is told apart from %s", async (name) => {
    expect(await server.ask("/api/health", { headers: { host: `${name}:${server.port}` } })).toMatchObject({
      status: 200,
    });
  });

  it.each([
    ["its Origin", { origin: "https://evil.example" }],
    ["another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["https for http", { origin: "https://127.0.0.1:PORT" }],
    ["no Origin to speak of", { origin: "null" }],
    ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }],
    ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }],
    ["a made-up Sec-Fetch-Site", { "sec-fetch-site": "whatever" }],
  ])("neither reads nor writes with the cookie, or a token: %s", async (_, sent) => {
    const headers = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, value.replace("PORT", String(server.port))]),
    );
    for (const secret of [{ cookie }, { authorization: `Bearer ${server.token}` }]) {
      const more = { bare: true, headers: { ...headers, ...secret } };
      expect(await server.ask("/api/sessions", more)).toMatchObject({ status: 403, code: "origin-refused" });
      expect(await server.post("/api/backups/prune", {}, more)).toMatchObject({
        status: 403,
        code: "origin-refused",
      });
    }
  });

  it("cannot post with the cookie alone, when nothing says where it comes from", async () => {
    const { code, status } = await server.post("/api/backups/prune", {}, { bare: true, headers: { cookie } });
    expect({ code, status }).toEqual({ code: "origin-refused", status: 403 });
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])(
    "cannot send a form (%j)",
    async (type) => {
      const { status } = await server.ask("/api/sql", {
        method: "POST",
        body: '{"sql":"SELECT 1"}',
        headers: { "content-type": type },
      });
      expect(status).toBe(415);
    },
  );

  it("is not asked beforehand by its browser, and gets no header that lets it read", async () => {
    const answer = await server.ask("/api/sessions", {
      method: "OPTIONS",
      headers: { origin: own(), "access-control-request-method": "POST" },
    });
    expect(answer).toMatchObject({ status: 204, headers: { allow: "GET, HEAD, OPTIONS" } });
    for (const path of ["/api/sessions", "/", "/api/health"]) {
      const { headers } = await server.ask(path);
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  it("cannot embed the pages, but may link to them", async () => {
    const from = { "sec-fetch-site": "cross-site" };
    const embedded = { ...from, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" };
    expect(await server.ask("/", { bare: true, headers: embedded })).toMatchObject({ status: 403 });
    const framed = { ...from, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
    expect(await server.ask("/", { bare: true, headers: framed })).toMatchObject({ status: 403 });
    const linked = { ...from, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect(await server.ask("/s/vscode:1", { bare: true, headers: linked })).toMatchObject({ status: 200 });
  });
});

it("lets our own pages read and write with the cookie", async () => {
  const headers = { cookie, origin: own(), "sec-fetch-site": "same-origin" };
  expect(await server.ask("/api/sessions?limit=1", { bare: true, headers })).toMatchObject({ status: 200 });
  expect(await server.post("/api/backups/prune", {}, { bare: true, headers })).toMatchObject({ status: 200 });
});

describe("every answer", () => {
  it.each(["/", "/api/health", "/api/sessions", "/api/nowhere", "/assets/nowhere.js", "/%2e%2e/etc/passwd"])(
    "says what its reader may do with it: %s",
    async (path) => {
      const { headers } = await server.ask(path);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "x-frame-options": "DENY",
      });
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      if (path.startsWith("/api")) expect(headers["cache-control"]).toBe("no-store");
    },
  );
});

describe("addresses that mean something else", () => {
  it.each([
    "/../../../etc/passwd",
    "/assets/../../package.json",
    "/assets/%2e%2e/%2e%2e/package.json",
    "/assets/..%2f..%2fpackage.json",
    "/assets%2f..%2f..%2fpackage.json",
    "/assets/..%5c..%5cpackage.json",
    "/assets\\..\\..\\package.json",
    "/index.html%00.js",
    "/api/sessions/..%2f..%2fsettings",
    "/api/./settings/../sql",
    "//etc/passwd",
    "/%",
    "/%zz",
    "http://evil.example/api/sessions",
    "*",
  ])("are refused: %s", async (path) => {
    const { status, text } = await server.ask(path);
    expect(status).toBe(400);
    expect(text).not.toMatch(/root:|"version"|devDependencies/);
  });

  it.each(["/package.json", "/.git/config", "/assets/../x", "/src/cli/main.ts", "/.built"])(
    "have no file behind them: %s",
    async (path) => {
      expect((await server.ask(path)).text).not.toMatch(/devDependencies|repositoryformat|import /);
    },
  );
});

describe("methods", () => {
  it.each([
    ["DELETE", "/api/sessions", "GET, HEAD, OPTIONS"],
    ["PUT", "/api/sql", "POST, OPTIONS"],
    ["GET", "/api/plans/clone", "POST, OPTIONS"],
    ["PATCH", "/api/settings", "GET, HEAD, PUT, OPTIONS"],
    ["POST", "/", "GET, HEAD, OPTIONS"],
    ["PROPFIND", "/api/sessions", "GET, HEAD, OPTIONS"],
    ["TRACE", "/api/sessions", "GET, HEAD, OPTIONS"],
  ])("%s %s is answered with those that are there", async (method, path, allow) => {
    const answer = await server.ask(path, { method });
    expect(answer).toMatchObject({ status: 405, code: "method-not-allowed", headers: { allow } });
  });

  it("has a HEAD wherever it has a GET, which ends by itself", async () => {
    for (const path of ["/", "/api/sessions", "/api/events", "/api/health"])
      expect(await server.ask(path, { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  });

  it("knows no other addresses", async () => {
    for (const path of ["/api", "/api/", "/api/nowhere", "/api/sessions/a/b/c"])
      expect(await server.ask(path)).toMatchObject({ status: 404, code: "route-not-found" });
  });
});

describe("what is too much", () => {
  it("is a body beyond 1 MiB, declared or not", async () => {
    const body = JSON.stringify({ sql: "x".repeat(1 << 20) });
    const headers = { "content-type": "application/json" };
    expect(await server.ask("/api/sql", { method: "POST", body, headers })).toMatchObject({
      status: 413,
      code: "too-large",
    });
    const chunked = { ...headers, "transfer-encoding": "chunked" };
    expect(await server.ask("/api/sql", { method: "POST", body, headers: chunked })).toMatchObject({
      status: 413,
    });
  });

  it("is a header beyond 16 KiB", async () => {
    const { status } = await server.ask("/api/health", { headers: { "x-long": "x".repeat(20_000) } });
    expect(status).toBe(431);
  });

  it.each(['{"sql":', "[]", '"text"', "null", "\xff\xfe"])("or what is no input: %j", async (body) => {
    const headers = { "content-type": "application/json" };
    const answer = await server.ask("/api/sql", {
      method: "POST",
      body: Buffer.from(body, "latin1"),
      headers,
    });
    expect(answer).toMatchObject({ status: 400, code: "usage" });
  });

  it.each(["?nonsense=1", "?limit=0", "?limit=x", "?sort=nonsense", "?since=yesterday"])(
    "or a query that nobody knows: %s",
    async (query) => {
      expect(await server.ask(`/api/sessions${query}`)).toMatchObject({ status: 400, code: "usage" });
    },
  );
});

describe("what is too slow", () => {
  /** Sends it, and waits for what comes back until the server hangs up. */
  const sendSlowly = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let answer = "";
      const socket = connect(server.port, "127.0.0.1", () => socket.write(text));
      socket.on("data", (piece) => (answer += piece));
      socket.on("close", () => resolve(answer));
      socket.on("error", reject);
    });

  it("is a body that never ends", async () => {
    const head = [
      "POST /api/sql HTTP/1.1",
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: Bearer ${server.token}`,
    ];
    const rest = ["Content-Type: application/json", "Content-Length: 100", "", "{"];
    expect(await sendSlowly([...head, ...rest].join("\r\n"))).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("is a request whose headers never end", async () => {
    expect(
      await sendSlowly(`GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX-Slow: `),
    ).toMatch(/^HTTP\/1\.1 408 /);
  });
});

it("tells of no line of code when something fails", async () => {
  const failing = await server.post("/api/plans/clone", { session: "no such session" });
  expect(failing).toMatchObject({ status: 404, code: "session-not-found" });
  for (const text of [failing.text, (await server.ask("/api/nowhere")).text])
    expect(text).not.toMatch(/\.ts:|at async|node:internal|stack/);
});

it("does not take another's word for its own host", async () => {
  const { status } = await send(server.port, "/api/sessions", {
    headers: {
      host: "evil.example",
      "x-forwarded-host": `127.0.0.1:${server.port}`,
      forwarded: `host=127.0.0.1:${server.port}`,
      authorization: `Bearer ${server.token}`,
    },
  });
  expect(status).toBe(403);
});
