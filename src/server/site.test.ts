import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSignIn } from "./sign-in.ts";
import { createSite, type Site } from "./site.ts";
import { readSite } from "./static-files.ts";

const SCRIPT = "console.log(1);\n".repeat(100);
let folder: string;
let site: Site;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-site-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<p>page</p>");
  writeFileSync(join(folder, "assets/app-12345678.js"), SCRIPT);
  writeFileSync(join(folder, "assets/app-12345678.js.gz"), gzipSync(SCRIPT));
  const signIn = createSignIn({
    now: () => new Date(),
    key: new Uint8Array(64).fill(65),
    port: 1,
    isSecure: false,
  });
  site = createSite(
    () => readSite(folder),
    signIn,
    { wrongSecret: () => undefined },
    { action: "serve", demo: true },
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ask = (path: string, headers: Record<string, string> = {}, method = "GET"): Response =>
  site.answer(new Request(`http://127.0.0.1:1${path}`, { headers, method }));
const APP = "/assets/app-12345678.js";

it("sends a packed file as it is to those who take it, and unpacked to all others", async () => {
  const packed = ask(APP, { "accept-encoding": "deflate, gzip;q=0.8, br" });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  const bytes = Buffer.from(await packed.arrayBuffer());
  expect(gunzipSync(bytes).toString()).toBe(SCRIPT);
  expect(packed.headers.get("content-length")).toBe(String(bytes.length));
  for (const accepted of [undefined, "identity", "gzip;q=0", "br, gzip;q=0.000"]) {
    const plain = ask(APP, accepted === undefined ? {} : { "accept-encoding": accepted });
    expect(plain.headers.get("content-encoding"), accepted).toBeNull();
    expect(plain.headers.get("content-length"), accepted).toBe(String(SCRIPT.length));
    expect(await plain.text(), accepted).toBe(SCRIPT);
    expect(plain.headers.get("etag"), accepted).not.toBe(packed.headers.get("etag"));
  }
  expect(packed.headers.get("vary")).toBe("accept-encoding");
});

it("sends nothing that the browser has already, in the same form", () => {
  const headers = { "accept-encoding": "gzip" };
  const etag = ask(APP, headers).headers.get("etag") ?? "";
  expect(ask(APP, { ...headers, "if-none-match": etag }).status).toBe(304);
  expect(ask(APP, { "if-none-match": etag }).status).toBe(200);
  const plain = ask(APP).headers.get("etag") ?? "";
  expect(ask(APP, { "if-none-match": plain }).status).toBe(304);
});

it("serves what was not packed, and no packed file by its own name", async () => {
  const page = ask("/", { "accept-encoding": "gzip" });
  expect([page.headers.get("content-encoding"), page.headers.get("vary"), await page.text()]).toEqual([
    null,
    null,
    "<p>page</p>",
  ]);
  expect(() => ask(`${APP}.gz`)).toThrow(expect.objectContaining({ code: "route-not-found" }));
});

it("keeps serving what was there when it started", async () => {
  rmSync(join(folder, "assets"), { recursive: true });
  expect(await ask(APP).text()).toBe(SCRIPT);
  site.refresh();
  expect(() => ask(APP)).toThrow();
});

it("names the command that gives another address than one that was used, in a page that stands by itself", async () => {
  const page = ask("/?code=unknown");
  const text = await page.text();
  expect(page.status).toBe(401);
  expect(text).toContain("<code>rethread serve --demo</code>");
  expect(text).not.toMatch(/<script|<link|src=/);
  const [, style = ""] = /<style>(.*)<\/style>/s.exec(text) ?? [];
  const policy = page.headers.get("content-security-policy");
  expect(policy).toContain(`style-src 'sha256-${hash("sha256", style, "base64")}'`);
  expect(policy).toContain("default-src 'none'");
});
