/** What agents and people wrote is shown, never obeyed: no command lets an escape sequence through to the terminal. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHome, type Home } from "./home.ts";

const CLEAR = "\x1b[2J";
const TITLE = "\x1b]0;owned\x07";
const NASTY = `${CLEAR}${TITLE}\u202eevil\u2066\u009b31m\u0000\u0007\r\u2028needle\ud83d`;
const [ONE, TWO] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
/** A folder's name may be anything but NUL and a slash. */
const ODD = `odd${NASTY.replaceAll(/[\0\ud83d]/g, "")}`;

let home: Home;

beforeAll(() => {
  home = createHome();
  for (const [number, id] of [ONE, TWO, ODD].entries())
    home.session(id, linesOf(id, number), { cwd: "/srv/shop" });
});
afterAll(() => home.remove());

function linesOf(sessionId: string, number: number): object[] {
  let at = 0;
  const event = (type: string, data: object): object => ({
    type,
    data,
    id: `${number}-${at}`,
    timestamp: `2026-11-0${number + 1}T10:00:${String(at++).padStart(2, "0")}.000Z`,
    parentId: null,
  });
  const tool = { toolCallId: "t1", toolName: `bash${CLEAR}` };
  return [
    event("session.start", {
      sessionId,
      version: 1,
      producer: "copilot-agent",
      copilotVersion: "1.0.102",
      context: { cwd: `/srv/${NASTY}`, repository: `shop/${NASTY}`, branch: `b${NASTY}` },
    }),
    event("user.message", { content: `line one\n${NASTY} ${number}`, attachments: [] }),
    event("assistant.message", {
      messageId: "m1",
      model: `gpt${NASTY}`,
      content: `# ${NASTY}\n\n\`\`\`sh\n${NASTY}\n\`\`\``,
      toolRequests: [{ toolCallId: "t1", name: tool.toolName, arguments: { command: `rm ${NASTY}` } }],
    }),
    event("tool.execution_start", {
      ...tool,
      arguments: { command: `rm ${NASTY}`, path: `/srv/${NASTY}.ts` },
    }),
    event("tool.execution_complete", { ...tool, success: false, result: { content: NASTY } }),
    event("user.message", { content: NASTY, attachments: [] }),
    event("assistant.message", { messageId: "m2", model: "gpt", content: NASTY, toolRequests: [] }),
  ];
}

/** Our own colors are the only sequences that may be there. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about
const COLORS = /\x1b\[[\d;]*m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const OBEYED = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const COMMANDS: readonly (readonly string[])[] = [
  ["overview"],
  ["list"],
  ["show", ONE],
  ["show", ONE, "--full"],
  ["search", "needle"],
  ["search", NASTY.replaceAll("\0", "")],
  ["search", "needle", "--role", "tool"],
  ["stats"],
  ["stats", "--by", "model"],
  ["stats", "--by", "repository"],
  ["stats", "--by", "tool"],
  ["tree"],
  ["show", ODD],
  ["show", "odd-and-missing\u001b[2J"],
  ["context", ODD],
  ["diff", ODD, TWO],
  ["resume", ODD, "--print"],
  ["rename", ODD, NASTY.replaceAll("\0", ""), "--dry-run"],
  ["fork", ODD, "--at", "0", "--dry-run"],
  ["delete", ODD, "--dry-run"],
  ["rescue", ODD, "--dry-run"],
  ["checkpoint", "list", ODD],
  ["diff", ONE, TWO],
  ["context", ONE],
  ["clone", ONE, "--drop-oldest", "1", "--dry-run"],
  ["fork", ONE, "--at", "0", "--dry-run"],
  ["rewind", ONE, "--to", "0", "--dry-run"],
  ["move", ONE, "--to", "/srv/other", "--dry-run"],
  ["delete", ONE, "--dry-run"],
  ["compact", ONE, "--keep", "1", "--dry-run"],
  ["checkpoint", "create", ONE, "--dry-run"],
  ["checkpoint", "list", ONE],
  ["doctor"],
  ["sql", "select * from turns"],
  ["sql", "select * from session_overview"],
];

it.each(COMMANDS.map((words) => [words.join(" ").replaceAll(/[^ -~]/g, "?"), words] as const))(
  "rethread %s obeys nothing that a session says",
  (_, words) => {
    const colored = home.with({ FORCE_COLOR: "1" }).again(...words);
    for (const text of [colored.stdout, colored.stderr])
      expect(text.replaceAll(COLORS, "").match(OBEYED)?.[0]?.codePointAt(0)?.toString(16)).toBeUndefined();
    expect(colored.stdout + colored.stderr).toMatch(/\S/);
  },
);

it.each(COMMANDS.map((words) => [words]))("rethread %j --json prints one object", (words) => {
  const { stdout } = home.with({}).rethread(...words, "--json");
  expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1 });
  expect(stdout).not.toMatch(/\p{Surrogate}/u);
});
