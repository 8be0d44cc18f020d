/** The example of docs/api.md runs, and prints what the page says. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

it("runs as it stands there", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/api.md"), "utf8");
  const [, program = "", printed = ""] = /```js\n(.*?)```\n\n```\n(.*?)```/s.exec(page) ?? [];
  const client = join(import.meta.dirname, "../../src/client/index.ts");
  const file = join(server.folder, "example.mjs");
  const lines: unknown[] = [];
  writeFileSync(
    file,
    `export default async (process, console) => {\n${program.replace(
      /^import .*$/m,
      `const { createClient } = await import(${JSON.stringify(client)});`,
    )}\n};\n`,
  );
  const { default: run } = await import(file);
  await run(
    { env: { PORT: String(server.port), TOKEN: server.token } },
    { log: (line: unknown) => void lines.push(line) },
  );
  expect(`${lines.join("\n")}\n`).toBe(printed);
});
