/** A hub over real sockets: who gets in, with what, and what each scope opens. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answered, type Ask, send } from "../server/test-server.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { listenTo } from "./served.ts";

let hub: TestHub;
let people: People;
let robin: Person;
let served: Awaited<ReturnType<typeof listenTo>>;

beforeAll(async () => {
  hub = await newHub();
  people = await peopleOf(hub);
  robin = await people.add("robin", ["push", "read", "admin"]);
  await people.team("team", robin);
  served = await listenTo(hub);
});
afterAll(async () => {
  await served.close(0);
  await people.close();
  await hub.close();
});

const ask = (path: string, { headers = {}, ...rest }: Ask = {}, token?: string): Promise<Answered> =>
  send(served.port, path, {
    ...rest,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
  });
const post = (path: string, body: unknown, headers: Record<string, string> = {}, token?: string) =>
  ask(
    path,
    {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    },
    token,
  );

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

  it("is not needed for health, which says that a hub runs and nothing of its data", async () => {
    const { json, headers } = await ask("/api/health");
    expect(json()).toEqual({
      schemaVersion: 1,
      status: "ok",
      mode: "hub",
      version: expect.any(String),
    });
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });
});

describe("a browser", () => {
  it("signs in with a token, gets a cookie of its own, and out again", async () => {
    const own = { origin: `http://127.0.0.1:${served.port}`, "sec-fetch-site": "same-origin" };
    const signedIn = await post("/api/hub/sign-in", { token: robin.token }, own);
    expect(signedIn.json()).toMatchObject({ user: "robin" });
    const [set = ""] = signedIn.headers["set-cookie"] ?? [];
    expect(set).toMatch(
      /^rethread-hub-\d+=rth_\S+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43(199|200)$/,
    );
    expect(set).not.toContain(robin.token);
    const cookie = set.split(";")[0] ?? "";
    expect((await ask("/api/hub/me", { headers: { cookie } })).json()).toMatchObject({ user: "robin" });
    const web = cookie.split("=")[1] ?? "";
    expect((await post("/api/hub/sign-in", { token: web }, own)).code).toBe("not-signed-in");
    expect((await post("/api/hub/sign-out", {}, { cookie })).code).toBe("origin-refused");
    const out = await post("/api/hub/sign-out", {}, { cookie, ...own });
    expect(out.headers["set-cookie"]?.[0]).toMatch(/^rethread-hub-\d+=; .*Max-Age=0$/);
    expect((await ask("/api/hub/me", { headers: { cookie } })).code).toBe("not-signed-in");
    expect((await ask("/api/hub/me", {}, robin.token)).status).toBe(200);
  });

  it("opens the printed address once", async () => {
    const { pathname, search } = new URL(served.urlFor(robin.token));
    expect((await ask(pathname + search, { method: "HEAD" })).status).toBe(204);
    const opened = await ask(pathname + search);
    expect([opened.status, opened.headers.location]).toEqual([303, "/"]);
    const cookie = opened.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    expect((await ask("/api/hub/me", { headers: { cookie } })).json()).toMatchObject({ user: "robin" });
    expect((await ask(pathname + search)).status).toBe(401);
  });
});
