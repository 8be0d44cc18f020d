/** Cases about what tools printed: too much of it, and the same file again and again. */
import { daysAgo, no, session, type TipCase, turn, yes } from "../case.ts";

const filled = { yes: yes("context-filled"), no: no("context-filled") };
const again = { yes: yes("file-read-again"), no: no("file-read-again") };
const everywhere = { yes: yes("file-read-everywhere"), no: no("file-read-everywhere") };

const view = (path: string, size: number, times = 1) => ({ tool: "view", label: path, size, times });
const reading = (count: number, path: string, told: { changes?: number; of?: number } = {}) =>
  Array.from({ length: told.of ?? count }, (_, at) =>
    session(`reading-${at}`, [
      turn(`Task number ${at} with words of its own: ${"abcdefghij"[at % 10]}`, {
        at: daysAgo(3 + at),
        files: {
          ...(at < count && {
            [`/srv/shop/${path}`]: at < (told.changes ?? 0) ? ("edited" as const) : ("read" as const),
          }),
          [`/srv/shop/src/part-${at}.ts`]: "edited" as const,
        },
      }),
    ]),
  );

export const outputCases: readonly TipCase[] = [
  filled.yes("a whole build log is printed", [
    session("s", [
      turn("Why does the build fail?", {
        calls: [
          { label: "cat build.log", size: 310_000 },
          { label: "ls", size: 400 },
        ],
      }),
      "And now?",
    ]),
  ]),
  filled.yes("verbose tests, six times", [
    session("s", [
      turn("Get the tests green", {
        calls: [
          { label: "npm test -- --verbose", size: 31_000, times: 6 },
          { label: "git status", size: 800 },
        ],
      }),
    ]),
  ]),
  filled.yes("a generated file is read whole", [
    session("s", [
      turn("What does the client call the endpoint?", {
        calls: [view("/srv/shop/src/generated/api.ts", 240_000), view("/srv/shop/src/client.ts", 4000)],
      }),
    ]),
  ]),
  filled.yes("a query tool gives back all rows", [
    session("s", [
      turn("How many customers have no address?", {
        calls: [{ tool: "mcp__db__query", label: "SELECT * FROM customers", size: 180_000 }],
      }),
      turn("Only the count, please", {
        calls: [{ tool: "mcp__db__query", label: "SELECT count(*)", size: 20 }],
      }),
    ]),
  ]),
  filled.no("much work, in many small outputs", [
    session("s", [
      turn("Port the module", {
        calls: Array.from({ length: 120 }, (_, at) => view(`/srv/shop/src/file-${at}.ts`, 2500)),
      }),
    ]),
  ]),
  filled.no("one output that is long, but not too long", [
    session("s", [turn("Read the guide", { calls: [view("/srv/shop/docs/guide.md", 90_000)] })]),
  ]),
  filled.no("a long output among much more of other work", [
    session("s", [
      turn("Rewrite the importer", {
        calls: [
          { label: "cat sample.csv", size: 160_000 },
          ...Array.from({ length: 60 }, (_, at) => view(`/srv/shop/import/step-${at}.ts`, 9000)),
        ],
      }),
    ]),
  ]),
  filled.no("long outputs of sessions that are each small", [
    ...[1, 2, 3].map((at) =>
      session(
        `s${at}`,
        [turn(`Look at log ${at} of the nightly run`, { calls: [{ label: `cat log-${at}`, size: 60_000 }] })],
        {
          branch: `b${at}`,
        },
      ),
    ),
  ]),

  again.yes("the same file five times in a session", [
    session("s", [
      turn("Understand the router", {
        calls: [view("/srv/shop/src/router.ts", 18_000, 2)],
        files: { "/srv/shop/src/router.ts": "read" },
      }),
      turn("And the middleware?", { calls: [view("/srv/shop/src/router.ts", 18_000, 2)] }),
      turn("Add a route", { calls: [view("/srv/shop/src/router.ts", 18_000)] }),
    ]),
  ]),
  again.yes("the schema is read in every turn", [
    session("s", [
      turn("Add a column", {
        calls: [view("/srv/shop/schema.sql", 7000)],
        files: { "/srv/shop/schema.sql": "read" },
      }),
      ...["Add an index", "Add a view", "Add a constraint"].map((user) =>
        turn(user, { calls: [view("/srv/shop/schema.sql", 7000)] }),
      ),
    ]),
  ]),
  again.yes("two agents' worth of the same reading", [
    session(
      "s",
      [
        turn("Check the docs against the code", {
          calls: [
            { tool: "Read", label: "/srv/shop/docs/api.md", size: 22_000, times: 4 },
            { tool: "Read", label: "/srv/shop/src/api.ts", size: 5100 },
          ],
          files: { "/srv/shop/docs/api.md": "read", "/srv/shop/src/api.ts": "read" },
        }),
      ],
      { source: "claude-code" },
    ),
  ]),
  again.no("a large file in pieces", [
    session("s", [
      turn("Read all of it", {
        calls: [4100, 5200, 4700, 6000, 5600].map((size) => view("/srv/shop/src/huge.ts", size)),
        files: { "/srv/shop/src/huge.ts": "read" },
      }),
    ]),
  ]),
  again.no("a small file often", [
    session("s", [
      turn("Check the settings after each step", {
        calls: [view("/srv/shop/.env.example", 300, 9)],
        files: { "/srv/shop/.env.example": "read" },
      }),
    ]),
  ]),
  again.no("three times", [
    session("s", [
      turn("Look into it", {
        calls: [view("/srv/shop/src/router.ts", 18_000, 3)],
        files: { "/srv/shop/src/router.ts": "read" },
      }),
    ]),
  ]),
  again.no("once in each of five sessions", [
    ...[1, 2, 3, 4, 5].map((at) =>
      session(`s${at}`, [
        turn(`Change number ${at} of the router, the ${"abcde"[at - 1]} part`, {
          at: daysAgo(at),
          calls: [view("/srv/shop/src/router.ts", 18_000)],
          files: { "/srv/shop/src/router.ts": "edited" },
        }),
      ]),
    ),
  ]),
  again.no("a file that is changed between the readings", [
    session("s", [
      turn("Refine the text until it fits", {
        calls: [8000, 8120, 8044, 8190].flatMap((size) => [
          { tool: "edit", label: "/srv/shop/page.md", size: 40 },
          view("/srv/shop/page.md", size),
        ]),
        files: { "/srv/shop/page.md": "edited" },
      }),
    ]),
  ]),

  everywhere.yes("the same guide in nearly every session", reading(8, "docs/conventions.md", { of: 9 })),
  everywhere.yes("the readme in all of them", reading(6, "README.md")),
  everywhere.yes("the build file in two of three", reading(8, "Makefile", { of: 11 })),
  everywhere.no("in fewer than half", reading(4, "docs/conventions.md", { of: 10 })),
  everywhere.no("in all of a few sessions", reading(4, "docs/conventions.md")),
  everywhere.no("the instructions themselves", reading(8, "AGENTS.md")),
  everywhere.no("a file that the work is about", reading(8, "src/router.ts", { changes: 6 })),
];
