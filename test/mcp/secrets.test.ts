/**
 * What leaves the machine tells nothing of a secret, not even one bit: two homes that differ in their secrets alone are
 * asked the same questions, and every answer has to be the same.
 */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadTokenizer } from "../../src/app/tokens.ts";
import { startMcp, type TestMcp } from "./test-mcp.ts";

const count = await loadTokenizer();

/** Of the same kind and length; they sort apart, and have other words in them. */
interface Secrets {
  readonly token: string;
  readonly password: string;
  readonly phrase: string;
  readonly aws: string;
  readonly url: string;
  readonly jwt: string;
  readonly pem: string;
}

const ONE: Secrets = {
  token: ["ghp", "a7Rt2Yx9kQ3Zt7Wc5RvD1nYf8LsGh2JpTe6U"].join("_"),
  password: "aardvark-Zq8v-T2mL",
  phrase: "Apfel2Baum9Cella4",
  aws: ["AKIA", "A7RT2YX3KQ3ZT7WC"].join(""),
  url: "aTinyPw4Url",
  jwt: `eyJhbGciOiJIUzI1NiJ9.${"a7Rt2Yx9".repeat(5)}.${"kQ3Zt7Wc".repeat(5)}`,
  pem: "MIIEaQ7Rt2Yx9kLmZ3pWc5Vb8Nd1FgHs6JaQeRtYuIoPzXcVbNm0Kl",
};
const OTHER: Secrets = {
  token: ["ghp", "zP1qM4vB8nC6xL0kJ5hG3fD2sA9wE7rT4yU8"].join("_"),
  password: "zebra_9_Kd4_Rw7_Yb",
  phrase: "Zwetsche7Yak1Xeno",
  aws: ["AKIA", "Z2QM4VB5NC6XL3KJ"].join(""),
  url: "zBigPass9Xy",
  jwt: `eyJhbGciOiJIUzI1NiJ9.${"zP1qM4vB".repeat(5)}.${"nC6xL0kJ".repeat(5)}`,
  pem: "MIIEzP1qM4vB8nC6xL0kJ5hG3fD2sA9wE7rT4yU8iO6pQ1aS3dF5gH",
};

const [FIRST, SECOND, THIRD] = [1, 2, 3].map((n) => `${`${n}`.repeat(8)}-1111-4111-8111-111111111111`) as [
  string,
  string,
  string,
];
const DAY = "2026-11-01";

/** A log of Copilot CLI: prompts with what was answered, and commands with what they printed. */
function log(
  id: string,
  turns: readonly (readonly [prompt: string, answer: string, run?: [string, string]])[],
) {
  let at = 0;
  const event = (type: string, data: object): string =>
    `${JSON.stringify({ type, data, id: `${id}-${at}`, timestamp: `${DAY}T10:${String(at++).padStart(2, "0")}:00.000Z`, parentId: null })}\n`;
  const start = event("session.start", {
    sessionId: id,
    version: 1,
    producer: "copilot-agent",
    copilotVersion: "1.0.102",
    startTime: `${DAY}T10:00:00.000Z`,
    context: { cwd: "/srv/shop", repository: "lumen/shop", branch: "main" },
  });
  const lines = turns.flatMap(([content, answer, run]) => {
    const call = { toolCallId: `t${at}`, toolName: "bash" };
    const input = { command: run?.[0] ?? "" };
    return [
      event("user.message", { content, attachments: [] }),
      event("assistant.message", {
        messageId: `m${at}`,
        model: "gpt",
        content: answer,
        toolRequests: run ? [{ ...call, name: "bash", arguments: input }] : [],
      }),
      ...(run
        ? [
            event("tool.execution_start", { ...call, arguments: input }),
            event("tool.execution_complete", { ...call, success: false, result: { content: run[1] } }),
          ]
        : []),
    ];
  });
  return [start, ...lines].join("");
}

const pemOf = ({ pem }: Secrets): string =>
  ["-----BEGIN PRIVATE KEY-----", pem, pem, pem, "-----END PRIVATE KEY-----"].join("\n");

function sessionsOf(secrets: Secrets): Record<string, string> {
  const { token, password, phrase, aws, url, jwt } = secrets;
  return {
    // The title ends within the token, and the password stands before the line that names it.
    [FIRST]: log(FIRST, [
      [
        `Deploy the shop with my very own personal access key ${token} please, and then ${password}`,
        `Is ${password} right?`,
      ],
      [
        "It is in the file",
        "Then I read it.",
        [
          `export GITHUB_TOKEN=${token}; ${"echo step; ".repeat(14)} deploy --key ${token} --now`,
          `${"deploying line of output, ".repeat(9)}tok ${token} ${jwt}`,
        ],
      ],
      [
        `DB_PASSWORD=${password}\nAWS_ACCESS_KEY_ID=${aws}\n${pemOf(secrets)}`,
        `Decided: never use ${aws}, because it is old.`,
      ],
    ]),
    [SECOND]: log(SECOND, [
      [
        `Why does login fail with ${password}?`,
        `It said ${phrase} is wrong`,
        ["psql", `Error: no such user, ${password}`],
      ],
      [
        `Fetch https://admin:${url}@db.example.com/x`,
        `curl -u admin:${url} failed; Authorization: Bearer ${jwt}`,
      ],
    ]),
    [THIRD]: log(THIRD, [
      [`MY_SECRET="${phrase}"`, "Noted. The deploy of the shop is done, and login works."],
    ]),
  };
}

const start = (secrets: Secrets): Promise<TestMcp> =>
  startMcp({
    canWrite: true,
    now: () => new Date("2026-11-02T00:00:00Z"),
    vars: (folder) => ({ COPILOT_HOME: join(folder, "copilot") }),
    prepare(folder) {
      for (const [id, text] of Object.entries(sessionsOf(secrets))) {
        const place = join(folder, "copilot/session-state", id);
        mkdirSync(place, { recursive: true });
        writeFileSync(join(place, "events.jsonl"), text);
        utimesSync(join(place, "events.jsonl"), 1_790_000_000, 1_790_000_000);
      }
      writeFileSync(
        join(folder, "deploy.sh"),
        `TOKEN=${secrets.token}\n${pemOf(secrets)}\necho ${secrets.password}\n`,
      );
    },
  });

let [one, other] = [] as unknown as [TestMcp, TestMcp];
beforeAll(async () => {
  [one, other] = await Promise.all([start(ONE), start(OTHER)]);
});
afterAll(() => Promise.all([one.close(), other.close()]));

async function answerOf(mcp: TestMcp, tool: string, input: object): Promise<string> {
  const { content } = await mcp.client.callTool({
    name: tool,
    arguments: JSON.parse(JSON.stringify(input).replaceAll("<folder>", mcp.folder)),
  });
  const [first] = content;
  return plainly(mcp, first?.type === "text" ? first.text : "");
}

/** Without what differs anyway. */
const plainly = (mcp: TestMcp, text: string): string =>
  text.replaceAll(mcp.folder, "<folder>").replaceAll(/(?<=history )\d{18}/g, "");

async function expectSame(tool: string, input: object): Promise<string> {
  const [a, b] = await Promise.all([answerOf(one, tool, input), answerOf(other, tool, input)]);
  expect(a).toBe(b);
  // What the caller sent may come back; nothing else.
  for (const secrets of [ONE, OTHER])
    for (const secret of Object.values(secrets) as string[])
      if (!JSON.stringify(input).includes(secret.slice(0, 9))) expect(a).not.toContain(secret.slice(0, 9));
  return a;
}

/** Each would tell a bit of a secret, where the secret were there. */
const QUERIES: readonly string[] = [
  "SELECT count(*) FROM turns WHERE user_message LIKE '%ghp_a%'",
  "SELECT count(*) FROM turns WHERE user_message GLOB '*ghp_a*'",
  "SELECT count(*) FROM turns WHERE instr(user_message, 'aardvark') > 0",
  "SELECT count(*) FROM turns WHERE user_message > 'Deploy the shop with my very own personal access key ghp_m'",
  "SELECT count(*) FROM turns WHERE user_message BETWEEN 'DB_PASSWORD=a' AND 'DB_PASSWORD=b'",
  "SELECT turn_index FROM turns ORDER BY user_message",
  "SELECT session_id, turn_index FROM turns ORDER BY assistant_response, user_message DESC LIMIT 2",
  "SELECT min(user_message), max(user_message), min(assistant_response), max(more) FROM turns",
  "SELECT min(title), max(title), max(summary), max(words) FROM sessions",
  "SELECT substr(user_message, 50, 20), substr(user_message, -12) FROM turns",
  "SELECT unicode(substr(user_message, 54)), hex(user_message) FROM turns",
  "SELECT length(user_message), octet_length(assistant_response), length(more) FROM turns",
  "SELECT user_message, count(*) FROM turns GROUP BY user_message",
  "SELECT substr(user_message, 1, 58) AS head, count(*) FROM turns GROUP BY 1 ORDER BY 2, 1",
  "SELECT DISTINCT user_message FROM turns",
  "SELECT CAST(user_message AS BLOB) < CAST('Deploy the shop with my very own personal access key ghp_m' AS BLOB) FROM turns",
  "SELECT rowid, source_id FROM search_index WHERE search_index MATCH 'ghp_a7*'",
  "SELECT count(*) FROM search_index WHERE search_index MATCH 'a*'",
  "SELECT count(*) FROM search_index WHERE search_index MATCH 'deploy NOT aard*'",
  "SELECT count(*) FROM search_index('\"aardvark Zq8v\"')",
  "SELECT source_id, bm25(search_index) FROM search_index WHERE search_index MATCH 'deploy OR a7Rt2Yx9*' ORDER BY rank",
  "SELECT snippet(search_index, 0, '', '', '', 60), highlight(search_index, 1, '', '') FROM search_index WHERE search_index MATCH 'deploy'",
  "SELECT term, doc, cnt FROM search_words WHERE term > 'a' ORDER BY term",
  "SELECT count(*) FROM search_words",
  "SELECT content, more, parts FROM search_index",
  "SELECT label FROM tool_calls WHERE label > 'export GITHUB_TOKEN=ghp_m' OR true ORDER BY label",
  "SELECT printf('%.64s', label), quote(label), like('%ghp_a%', label) FROM tool_use",
  "SELECT more < 'm', replace(more, 'ghp_', ''), trim(more, 'ghp_'), upper(more) FROM turns",
  "SELECT json_extract(json_array(user_message), '$[0]'), json_array(user_message) ->> 0, json_quote(user_message) FROM turns",
  "SELECT group_concat(user_message, '|'), string_agg(assistant_response, '|') FROM turns",
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90) SELECT i, unicode(substr(user_message, i, 1)) FROM n, turns WHERE turn_index = 0",
  "SELECT first_value(user_message) OVER (ORDER BY user_message), ntile(2) OVER (ORDER BY assistant_response) FROM turns",
  "SELECT a.turn_index, b.turn_index FROM turns a JOIN turns b ON a.user_message < b.user_message",
  "SELECT nullif(user_message, 'x'), coalesce(assistant_response, ''), iif(user_message < 'Deploy the shop with my very own personal access key ghp_m', 1, 0) FROM turns",
  "SELECT digest, work, byte_start, byte_end, text_bytes FROM turns",
  "SELECT * FROM main.turns",
  "SELECT content FROM search_texts ORDER BY content",
  "SELECT block FROM search_index_data",
  "SELECT * FROM search_index_idx",
  "SELECT listed, guard FROM fingerprints",
  "SELECT state FROM bookmarks",
  "SELECT session_id, mark FROM copied_sessions",
  "SELECT * FROM secret_turns",
  "SELECT logged FROM logged_checkpoints",
  "SELECT title, prompt, answer FROM turn_overview ORDER BY prompt",
  "SELECT * FROM problems",
  "SELECT tool, label FROM tool_use GROUP BY label HAVING count(*) > 0",
  `SELECT '${ONE.password}' AS guess, '${ONE.token}', 'DB_PASSWORD=${ONE.password}'`,
];

/** There is no answer to these, with or without a secret. */
const REFUSED = /search_index_(?:data|idx)/;

describe("session_store_sql cannot tell one secret from another by", () => {
  it.each(QUERIES)("%s", async (sql) => {
    const text = await expectSame("session_store_sql", { sql, budget: 50_000 });
    // One that fails would tell nothing of what it was to try.
    expect(text.startsWith("Error")).toBe(REFUSED.test(sql));
  });

  it("finds what stands around a secret", async () => {
    expect(await expectSame("session_store_sql", { sql: "SELECT prompt FROM turn_overview" })).toContain(
      "[redacted: github token]",
    );
    const sql =
      "SELECT source_id FROM search_index WHERE search_index MATCH 'deploy personal access' ORDER BY rank";
    expect(await expectSame("session_store_sql", { sql })).toContain(`${FIRST}:turn:0`);
  });
});

const session = `copilot-cli:${FIRST}`;
const guesses = [ONE.token, ONE.password, ONE.phrase, ONE.aws, ONE.url].flatMap((secret) => [
  secret,
  secret.slice(0, 6),
  `${secret.slice(0, 6)}*`,
  `"${secret.slice(0, 9)}"`,
  `deploy ${secret.slice(0, 7)}`,
  `deploy -${secret}`,
]);
const CALLS: readonly (readonly [tool: string, input: object])[] = [
  ...guesses.map((query) => ["search", { query }] as const),
  ["search", { query: "aardvarc" }], // one slip away
  ["search", { query: "apfel2baum9cela" }],
  ["search", { query: "deploy" }],
  ["search", { query: "deploy", role: "tool" }],
  ["search", { query: "a", role: "user" }],
  ["search", { query: "login", session: ONE.password }],
  ["search", { query: "login", file: ONE.token }],
  ...guesses.map((text) => ["where", { text: text.replaceAll('"', "") }] as const),
  ["where", { error: `Error: no such user, ${ONE.password}` }],
  ["where", { error: "Error: no such user" }],
  ["where", { file: "ghp_a" }],
  ["sessions", {}],
  ...guesses.map((text) => ["sessions", { text }] as const),
  ["read", { session }],
  ["read", { session, from: 0, to: 0 }],
  ["read", { session, from: 1, to: 1, budget: 100 }],
  ["read", { session: `copilot-cli:${SECOND}`, from: 0, to: 0 }],
  ["read", { session: `copilot-cli:${SECOND}` }],
  ["read", { session: "Deploy the shop with my very own personal access key ghp_a" }],
  ["read", { session: `Deploy the shop with my very own personal access key ${ONE.token}` }],
  ["context", { session }],
  ["context", { session: `copilot-cli:${SECOND}`, budget: 300 }],
  ["brief", { session }],
  ["brief", { session: `copilot-cli:${SECOND}` }],
  ["standup", { since: "3d" }],
  ["blame", { file: "<folder>/deploy.sh" }],
  ["board_get", { repo: "lumen/shop" }],
  ["plan", { operation: "rename", input: { session: ONE.token.slice(0, 9), name: "x" } }],
  [
    "plan",
    {
      operation: "rename",
      input: {
        session: `Deploy the shop with my very own personal access key ${ONE.token.slice(0, 9)}`,
        name: "x",
      },
    },
  ],
];

describe("nor can the other tools", () => {
  it.each(CALLS)("%s %j", async (tool, input) => {
    const text = await expectSame(tool, input);
    expect(count(text)).toBeGreaterThan(0);
  });

  it("nor resources", async () => {
    const listed = await Promise.all(
      [one, other].map(async (mcp) => (await mcp.client.listResources()).resources),
    );
    expect(listed[0]).toEqual(listed[1]);
    for (const { uri } of listed[0] ?? []) {
      const [a, b] = await Promise.all(
        [one, other].map(async (mcp) => plainly(mcp, JSON.stringify(await mcp.client.readResource({ uri })))),
      );
      expect(a).toBe(b);
    }
  });
});
