/** A home with a sound session, a damaged one and one that means harm, for every command that reads. */
import { afterAll, vi } from "vitest";
import { createHome, type Home, line, start } from "./home.ts";

export const LOGIN = "0b1c2d3e-0000-4000-8000-000000000001";
export const FLAKY = "0b1cffff-0000-4000-8000-000000000002";
export const EVIL = "77777777-0000-4000-8000-000000000003";
export const EVIL_TITLE =
  "\u001b]0;owned\u0007\u001b[2J 日本語のとても長いタイトルがここに続いて端末の幅を超えます 👩‍👩‍👧";
export const HOUR = 3_600_000;

/** For a whole file of tests, each of which starts the command several times. */
export function useReadingHome(): { home: Home; json(...words: string[]): ReturnType<typeof JSON.parse> } {
  vi.setConfig({ testTimeout: 60_000 });
  const home = createReadingHome();
  afterAll(() => home.remove());
  return { home, json: (...words) => JSON.parse(home.rethread(...words, "--json").stdout) };
}

function createReadingHome(): Home {
  const home = createHome();
  const login = new Date(Date.now() - 2 * HOUR);
  home.session(
    LOGIN,
    [
      start(LOGIN, login),
      line("user.message", { content: "Fix the login redirect" }, login, 1),
      line(
        "assistant.message",
        {
          messageId: "m1",
          content: "Let me look.",
          toolRequests: [{ toolCallId: "c1", name: "bash", arguments: { command: "npm test" } }],
        },
        login,
        2,
      ),
      line(
        "tool.execution_start",
        { toolCallId: "c1", toolName: "bash", arguments: { command: "npm test" } },
        login,
        3,
      ),
      line(
        "tool.execution_complete",
        { toolCallId: "c1", success: true, result: { content: "2 passed" } },
        login,
        4,
      ),
      line("assistant.message", { messageId: "m2", content: "**Done**: all tests pass." }, login, 5),
      line("user.message", { content: "Thank you" }, login, 6),
    ],
    {
      cwd: "/srv/storefront",
      repository: "lumen-shop/storefront",
      branch: "fix/login",
      name: "Login redirect",
    },
  );
  const flaky = new Date(Date.now() - 10 * 24 * HOUR);
  home.session(
    FLAKY,
    [
      start(FLAKY, flaky),
      line("user.message", { content: "Fix the flaky test" }, flaky, 1),
      '{"type":"assist',
    ],
    { cwd: "/srv/platform", repository: "lumen-shop/platform", branch: "main", name: "Flaky test" },
  );
  const evil = new Date(Date.now() - 40 * 24 * HOUR);
  home.session(EVIL, [start(EVIL, evil), line("user.message", { content: EVIL_TITLE }, evil, 1)], {
    cwd: "/srv/storefront",
    name: EVIL_TITLE,
  });
  return home;
}
