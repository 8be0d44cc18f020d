/** Every text of every session of the fixtures gets a secret of its own, and none of them arrives on a hub. */
import { createHash } from "node:crypto";
import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FIXTURES } from "../contracts/fixtures.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { deriveAll } from "./demo-hub.ts";
import { everythingOf } from "./everything.ts";
import { type People, peopleOf } from "./people.ts";
import { type ServedHub, serveHub } from "./served.ts";
import { newMachine } from "./syncing-machine.ts";

let hub: TestHub;
let people: People;
let served: ServedHub;
beforeAll(async () => {
  hub = await newHub();
  people = await peopleOf(hub);
  served = await serveHub(hub);
});
afterAll(async () => {
  await served.close();
  await people.close();
  await hub.close();
});

/** Which variable says where a source keeps its sessions. */
const HOMES: Readonly<Record<string, string>> = {
  "copilot-cli": "COPILOT_HOME",
  "claude-code": "CLAUDE_CONFIG_DIR",
  codex: "CODEX_HOME",
  vscode: "VSCODE_STORAGE_PATH",
};

/** What people and tools write secrets into: a token by itself, JSON in JSON, an environment, an address, a header. */
const FORMS: readonly ((secret: string) => string)[] = [
  (secret) => `ghp_${secret}`,
  (secret) => JSON.stringify({ of: JSON.stringify({ env: { DB_PASSWORD: secret } }) }),
  (secret) => `\nexport API_TOKEN=${secret}\nLANG=C`,
  (secret) => `https://robin:${secret}@example.com/x`,
  (secret) => `curl -H "Authorization: Bearer ${secret}"`,
];

/** Secrets by where they were put. */
type Planted = Map<string, string>;

function newSecret(planted: Planted, where: string): string {
  const letters = createHash("sha512").update(`${planted.size}`).digest("base64").replaceAll(/\W/g, "");
  const secret = letters.slice(0, 36);
  planted.set(secret, where);
  return FORMS[planted.size % FORMS.length]?.(secret) ?? secret;
}

const IS_ID = /^[\da-f-]{36}$|^\d{4}-\d\d-\d\d[T ]/;
/** Words of a vocabulary stay what they are, or the session would be none. */
const isProse = (text: string): boolean => !IS_ID.test(text) && (/\s/.test(text) || text.length > 40);

function plant(value: unknown, planted: Planted, where: string): unknown {
  if (typeof value === "string") return isProse(value) ? `${value} ${newSecret(planted, where)}` : value;
  if (Array.isArray(value)) return value.map((each) => plant(each, planted, `${where}[]`));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, plant(each, planted, `${where}.${name}`)]),
  );
}

function plantJson(text: string, planted: Planted, where: string): string {
  try {
    return JSON.stringify(plant(JSON.parse(text), planted, where));
  } catch {
    return text;
  }
}

function plantFile(path: string, planted: Planted): void {
  const text = readFileSync(path, "utf8");
  const more = (): string => `${text}\npassword: ${newSecret(planted, path)}\n`;
  if (path.endsWith(".jsonl"))
    writeFileSync(
      path,
      text
        .split("\n")
        .map((line) => plantJson(line, planted, path))
        .join("\n"),
    );
  else if (path.endsWith(".json")) writeFileSync(path, plantJson(text, planted, path));
  else if (/\.(md|txt|log)$/.test(path)) writeFileSync(path, more());
}

/** Every second fixture; with RETHREAD_FULL=1 all of them. */
const SAMPLED = FIXTURES.filter((_, at) => process.env.RETHREAD_FULL !== undefined || at % 2 === 0);

it("are of each source", () => {
  const sourcesOf = (fixtures: typeof FIXTURES) => new Set(fixtures.map(({ source }) => source.id));
  expect(sourcesOf(SAMPLED)).toEqual(sourcesOf(FIXTURES));
});

it.each(SAMPLED.map((fixture) => [fixture.name, fixture] as const))("of %s", async (_, { source, home }) => {
  const robin = await people.add(`robin-${Math.random()}`);
  const base = await newMachine("laptop", {
    ...{ RETHREAD_HUB_URL: served.url, RETHREAD_HUB_TOKEN: robin.token },
  });
  const place = join(base.home, "agent");
  cpSync(home, place, { recursive: true });
  const planted: Planted = new Map();
  for (const file of globSync("**/*.{jsonl,json,md,txt,log}", { cwd: place }))
    plantFile(join(place, file), planted);
  const laptop = await base.as({ [HOMES[source.id] ?? ""]: place });
  await laptop.sync.setRules({ effect: "allow", repositories: ["**"], folders: ["**"] });
  const { created, problems } = await laptop.sync.push({ consents: true });
  expect([created > 0, problems]).toEqual([true, []]);
  await deriveAll(hub, people, robin);
  const all = await everythingOf(people, robin);
  const found = [...planted].filter(([secret]) => all.includes(secret)).map(([, where]) => where);
  expect([planted.size > 0, found]).toEqual([true, []]);
  laptop.remove();
});
