/** Cases about commands and tools that fail. */
import { daysAgo, no, ordinary, run, runs, session, type TipCase, turn, yes } from "../case.ts";

const failing = { yes: yes("command-keeps-failing"), no: no("command-keeps-failing") };
const wrong = { yes: yes("wrong-command-first"), no: no("wrong-command-first") };
const tool = { yes: yes("tool-keeps-failing"), no: no("tool-keeps-failing") };

const edit = (path: string) => ({ tool: "edit", label: path, size: 40 });
/** Each in a session of its own, days apart. */
const inSessions = (...commands: string[][]) =>
  commands.map((list, at) =>
    session(
      `s${at}`,
      [
        turn(`Do the ${["first", "second", "third", "fourth", "fifth", "sixth"][at]} thing`, {
          at: daysAgo(2 + at),
          calls: list.map(run),
        }),
      ],
      { branch: `b${at}` },
    ),
  );

export const commandCases: readonly TipCase[] = [
  failing.yes("a database that is not running", [
    session("s", [
      runs(
        "Run the migrations",
        "!npm run migrate",
        "!npm run migrate",
        "!npm run migrate",
        "!npm run migrate",
      ),
    ]),
  ]),
  failing.yes("over several turns, with looks in between", [
    session("s", [
      runs("Deploy it", "!make deploy", "cat Makefile", "!make deploy"),
      runs("Try again", "!make deploy"),
      runs("Once more", "ls", "!make deploy"),
    ]),
  ]),
  failing.yes("a login that has expired", [
    session(
      "s",
      [
        runs(
          "Open the pull request",
          "!gh pr create --fill",
          "!gh auth status",
          "!gh pr create --fill",
          "!gh pr create --fill",
          "!gh pr create --fill",
          "git status",
        ),
      ],
      { source: "claude-code" },
    ),
  ]),
  failing.yes("a compiler that is missing, tried five times", [
    session("s", [
      runs(
        "Build the native part",
        "!cmake --build build",
        "!cmake --build build",
        "which cmake",
        "!cmake --build build",
        "!cmake --build build",
        "!cmake --build build",
      ),
    ]),
  ]),
  failing.no("tests that fail until the code is right", [
    session("s", [
      turn("Make the tests pass", {
        calls: [1, 2, 3, 4, 5]
          .flatMap(() => [run("!npm test"), edit("/srv/shop/src/cart.ts")])
          .concat(run("npm test")),
        files: { "/srv/shop/src/cart.ts": "edited" },
      }),
    ]),
  ]),
  failing.no("a search that finds nothing", [
    session("s", [
      runs(
        "Where is it used?",
        "!rg -n oldName src",
        "!rg -n oldName src",
        "!rg -n oldName src",
        "!rg -n oldName src",
        "!rg -n oldName src",
      ),
    ]),
  ]),
  failing.no("three times, then given up", [
    session("s", [
      runs("Start the server", "!npm run dev", "!npm run dev", "!npm run dev", "cat package.json"),
    ]),
  ]),
  failing.no("a flaky test, run often to see how often it fails", [
    session("s", [
      runs(
        "How often does it fail?",
        "!npx vitest run login",
        "npx vitest run login",
        "!npx vitest run login",
        "npx vitest run login",
        "!npx vitest run login",
        "npx vitest run login",
        "!npx vitest run login",
      ),
    ]),
  ]),
  failing.no("four different commands", [
    session("s", [
      runs("Get it to build", "!npm run build", "!npx tsc", "!npm ci", "!node --version", "npm run build"),
    ]),
  ]),

  wrong.yes(
    "npm where pnpm is used",
    inSessions(["!npm test", "pnpm test"], ["ls", "!npm test", "pnpm test", "git diff"]),
  ),
  wrong.yes(
    "pytest without uv",
    inSessions(
      ["!pytest -q", "uv run pytest -q"],
      ["!pytest -q", "cat pyproject.toml", "uv run pytest -q"],
      ["!pytest -q", "uv run pytest -q"],
    ),
  ),
  wrong.yes(
    "yarn run build, then npm run build",
    inSessions(["!yarn build", "npm run build"], ["cat package.json"], ["!yarn build", "npm run build"]),
  ),
  wrong.yes(
    "make outside of the container",
    inSessions(
      ["!make lint", "docker compose exec app make lint"],
      ["!make lint", "docker compose exec app make lint"],
    ),
  ),
  wrong.no("once only", inSessions(["!npm test", "pnpm test"], ["pnpm test"], ["pnpm test"])),
  wrong.no(
    "a failing test that is then repaired",
    inSessions(["!npm test", "npm test"], ["!npm test", "npm test"], ["!npm test", "npm test"]),
  ),
  wrong.no(
    "different commands for different things",
    inSessions(["!npm test", "npm run build"], ["!npm run lint", "npm test"]),
  ),
  wrong.no("two repositories, each once", [
    session("a", [runs("Test it", "!npm test", "pnpm test")], { repository: "acme/shop" }),
    session("b", [runs("Test the other one", "!npm test", "pnpm test")], {
      repository: "acme/site",
      workspace: "/srv/site",
    }),
  ]),

  tool.yes("an editing tool that misses every second time", [
    ...[0, 1, 2].map((at) =>
      session(
        `s${at}`,
        [
          turn(`Edit the chapter about ${["ships", "ports", "tides"][at]}`, {
            calls: [
              { tool: "str_replace", label: `/srv/shop/${at}.md`, status: "failed", times: 3 },
              { tool: "str_replace", label: `/srv/shop/${at}-b.md`, times: 3 },
            ],
          }),
        ],
        { branch: `b${at}` },
      ),
    ),
  ]),
  tool.yes("a server whose token has expired", [
    session("a", [
      turn("What is in the ticket?", {
        calls: [{ tool: "mcp__jira__get_issue", label: "ABC-1", status: "failed", times: 6 }],
      }),
    ]),
    session(
      "b",
      [
        turn("And in this one?", {
          calls: [{ tool: "mcp__jira__get_issue", label: "ABC-2", status: "failed", times: 5 }],
        }),
      ],
      { branch: "b" },
    ),
  ]),
  tool.yes("a browser that rarely answers", [
    ...[0, 1].map((at) =>
      session(
        `s${at}`,
        [
          turn(`Look at page ${at} and say what is wrong with its ${["head", "foot"][at]}`, {
            calls: [
              { tool: "fetch_page", label: `https://example.com/${at}`, status: "failed", times: 4 },
              { tool: "fetch_page", label: `https://example.com/${at}`, times: 2 },
            ],
          }),
        ],
        { branch: `b${at}` },
      ),
    ),
  ]),
  tool.no("commands fail, as commands do", [
    ...[0, 1, 2].map((at) =>
      session(
        `s${at}`,
        [
          runs(
            `Repair the ${["first", "second", "third"][at]} pipeline`,
            `!step ${at} a`,
            `!step ${at} b`,
            `!step ${at} c`,
            `step ${at} d`,
          ),
        ],
        { branch: `b${at}` },
      ),
    ),
  ]),
  tool.no("a few failures among many calls", [
    ...[0, 1, 2].map((at) =>
      session(
        `s${at}`,
        [
          turn(`Write section ${at} on the ${["history", "rules", "future"][at]} of the port`, {
            calls: [
              { tool: "str_replace", label: `/srv/shop/${at}.md`, times: 9 },
              { tool: "str_replace", label: `/srv/shop/${at}.md`, status: "failed", times: 2 },
            ],
          }),
        ],
        { branch: `b${at}` },
      ),
    ),
  ]),
  tool.no("a tool that was tried a few times", [
    session("a", [
      turn("What is in the ticket?", {
        calls: [{ tool: "mcp__jira__get_issue", status: "failed", times: 3 }],
      }),
    ]),
    ...ordinary(3, 5),
  ]),
  tool.no("one bad session of a tool that works", [
    session("bad", [turn("Read the wiki", { calls: [{ tool: "wiki", status: "failed", times: 9 }] })]),
    ...[0, 1, 2].map((at) =>
      session(
        `s${at}`,
        [
          turn(`Look up the ${["name", "date", "price"][at]} in the wiki`, {
            calls: [{ tool: "wiki", times: 8 }],
          }),
        ],
        { branch: `b${at}` },
      ),
    ),
  ]),
];
