/** Pictures over HTTP: bytes of a known type for who has the secret, and nothing that a browser would run. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
let session: string;
let image: string;
beforeAll(async () => {
  server = await startTestServer();
  const { sessions } = await server.app.list({});
  const found = sessions.find(({ title }) => title === "Flaky login test in CI");
  session = `${found?.source}:${found?.id}`;
  const { turns } = await server.client.turns(session, { to: 0 });
  image = turns[0]?.attachments[0]?.image?.id ?? "";
});
afterAll(() => server.stop());

const at = (id: string): string => `/api/sessions/${encodeURIComponent(session)}/images/${id}`;

it("are sent as what they are, to be shown and not to be guessed about", async () => {
  const { status, headers } = await server.ask(at(image));
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
  });
  const blob = await server.client.image(session, image);
  expect([blob.type, blob.size]).toEqual(["image/png", Number(headers["content-length"])]);
  const head = await server.ask(at(image), { method: "HEAD" });
  expect([head.status, head.text]).toEqual([200, ""]);
});

it("need the secret", async () => {
  expect(await server.ask(at(image), { bare: true })).toMatchObject({ status: 401, code: "not-signed-in" });
  const foreign = await server.ask(at(image), { headers: { origin: "https://example.com" } });
  expect(foreign).toMatchObject({ status: 403, code: "origin-refused" });
});

it("are found by an id of that session alone, whatever else is asked for", async () => {
  const odd = [
    "x",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "..%5c..%5cwin.ini",
    "%00",
    "a".repeat(9_000),
    `${image}x`,
  ];
  for (const id of odd) {
    const { status, headers, code } = await server.ask(at(id));
    // The server refuses what would leave its folder before anybody looks for a picture.
    expect(["404 image-not-found", "400 usage"], id).toContain(`${status} ${code}`);
    expect(headers["content-type"], id).toMatch(/^application\/json/);
  }
  const { sessions } = await server.app.list({ sources: ["claude-code"] });
  const other = `claude-code:${sessions[0]?.id}`;
  await expect(server.client.image(other, image)).rejects.toMatchObject({ code: "image-not-found" });
  await expect(server.client.image("claude-code:nobody", image)).rejects.toMatchObject({
    code: "session-not-found",
  });
});
