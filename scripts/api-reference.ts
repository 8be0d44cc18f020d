/** The page about the HTTP API: how to get in, what it promises, and a row for each address. */
import type { Endpoint } from "../src/server/endpoint.ts";

export const apiReference = (endpoints: readonly Endpoint[]): string => `# HTTP API

\`rethread serve\` serves the web app and this API to this machine. Every address is here; [openapi.json](openapi.json) describes each parameter and every field (the server has it at \`/api/openapi.json\`). The answers are those of the commands' \`--json\` ([cli.md](cli.md)), with \`schemaVersion: 1\`; more fields may be added, these stay.

## From a program

\`\`\`sh
rethread serve --no-open --port 0 --json
\`\`\`

prints one line when it is ready, \`{"schemaVersion":1,"url":…,"port":…,"token":…,"pid":…}\`, and runs until SIGTERM. Send the token with every request:

\`\`\`sh
curl -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:$PORT/api/sessions?limit=3"
\`\`\`

From TypeScript or JavaScript, in Node or a browser, there is a client with the types of all answers:

\`\`\`js
import { createClient } from "rethread/client";

const client = createClient({ baseUrl: \`http://127.0.0.1:\${process.env.PORT}\`, token: process.env.TOKEN });
const { sessions } = await client.sessions({ source: "copilot-cli", sort: "turns", limit: 1 });
const key = \`\${sessions[0].source}:\${sessions[0].id}\`;

// A change is planned first, which writes nothing, and then carried out exactly so.
const plan = await client.plan("fork", { session: key, at: 0 });
const { operation, session } = await client.apply(plan.fingerprint);
console.log((await client.session(\`\${session.source}:\${session.id}\`)).turns.length);

const undo = await client.plan("undo", { operation });
console.log((await client.apply(undo.fingerprint)).plan.kind);
\`\`\`

\`\`\`
1
undo
\`\`\`

## From a browser

\`url\` has a code in it that works once, within ten minutes. The first request exchanges it for a cookie (HttpOnly, SameSite=Strict) and is sent on to the same address without the code. \`rethread serve\` again gives a new address of the server that is running.

## What it promises

- It listens on 127.0.0.1, unless \`--host\` names another address, which needs \`--tls-cert\` and \`--tls-key\`.
- \`/api/health\` answers everyone on this machine, and tells nothing about sessions. Everything else below \`/api\` needs the token or the cookie. Wrong tokens are answered with 429 and \`Retry-After\` after a few; the right one never is.
- Requests under another host name, or from a page of another site, are refused with 403, whatever they carry. There are no CORS headers.
- A body is JSON of at most 1 MiB, except for uploads.
- \`--read-only\` refuses every address marked *writes* below with 403 \`read-only\`. Questions and plans are answered: a plan writes nothing.
- Errors are \`{ "error": { "code", "message", "hint" } }\`, with the codes of [cli.md](cli.md#exit-codes) and \`remedy\` where rethread itself can take the next step. \`POST /api/plans/{fingerprint}/apply\` answers 409 when something has changed since, and 410 when the plan has expired, was carried out, or was never made.
- Turns count from 0, and \`from\` and \`to\` are both included; records count from 1. The last page of a list has \`nextCursor: null\`.

## Events

\`GET /api/events\` is a stream of server-sent events. Each has an id; who comes back with \`Last-Event-ID\` (or \`?since=\`) is sent what happened meanwhile, or \`reset\` where that is no longer known.

| Event | Data |
|---|---|
| \`session-changed\` | \`source\`, \`id\`, \`change\`: \`added\`, \`changed\`, \`vanished\`, \`tagged\` |
| \`index-progress\` | \`isIndexing\`, \`done\`, \`total\`, \`sessions\` |
| \`write-done\` | \`operation\`, for \`undo\`, and \`kind\`; null where another process wrote |
| \`board-changed\` | nothing: an item of the context board was added, changed, removed or read |
| \`job-changed\` | \`job\` |
| \`chat-changed\` | \`id\` of the conversation |
| \`reset\` | \`why\`: ask for everything again |
| \`ready\` | \`instance\`: first of each connection |

## Addresses

| Address | Answers | |
|---|---|---|
${endpoints.map(row).join("\n")}
`;

const row = ({ method, path, summary, effect, isOpen, parameters }: Endpoint): string => {
  const query = parameters.filter((each) => each.in === "query").map(({ name }) => name);
  const address = `\`${method} ${path}${query.length > 0 ? `?${query.join("&")}` : ""}\``;
  return `| ${address} | ${summary.replaceAll("|", "\\|")} | ${isOpen ? "open" : effect} |`;
};
