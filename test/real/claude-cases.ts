/** Real Claude Code sessions of every kind people have, each made by the program itself (and then damaged, in some). */
import { hash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { folderName } from "../../src/sources/claude-code/locate.ts";
import { type Claude, type ClaudeHome, createHome, transcriptOf } from "./claude.ts";
import { NEWER_MODEL, OLDER_MODEL } from "./claude-models.ts";
import { WRITTEN } from "./claude-written.ts";
import { type Step, scripted } from "./scripted-model.ts";

export interface Case {
  readonly name: string;
  /** Makes the session with this id. */
  make(claude: Claude, home: ClaudeHome, id: string): Promise<void>;
}

const run = (command: string): NonNullable<Step["calls"]>[number] => ({ name: "Bash", input: { command } });
/** Longer than any test, but not for ever: a killed program leaves its children behind. */
const HANG = "timeout 8 tail -f /dev/null";
const TINY_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const holds = (home: ClaudeHome, id: string, text: string): boolean =>
  existsSync(transcriptOf(home, id)) && readFileSync(transcriptOf(home, id), "utf8").includes(text);

/** Changes the lines of a transcript by hand, as a crash, a sync tool or an editor would. */
function damage(home: ClaudeHome, id: string, change: (lines: string[]) => (string | Buffer)[]): void {
  const path = transcriptOf(home, id);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(path, Buffer.concat(change(lines).map((line) => Buffer.from(line as string))));
}
const ended = (line: string): string => `${line}\n`;

interface Transcript {
  readonly text: string;
  readonly id: string;
  readonly workspace: string;
}
/** By model: made by the program once, as many sessions begin with these turns. */
const threeTurnsBy = new Map<string, Promise<Transcript>>();

async function makeThreeTurns(claude: Claude, model: string): Promise<Transcript> {
  const home = createHome();
  const id = `c0de0000-0000-4000-8000-${hash("sha256", model).slice(0, 12)}`;
  const first = scripted("Look around.", { say: "Looking.", calls: [run("echo one")] }, { say: "Seen one." });
  await claude.startSession(home, id, first, { model });
  await claude.resume(home, id, scripted("Go on.", { calls: [run("echo two")] }, { say: "Seen two." }));
  await claude.resume(home, id, scripted("Finish.", { say: "Finished." }));
  const text = readFileSync(transcriptOf(home, id), "utf8");
  home.remove();
  return { text, id, workspace: home.workspace };
}

const threeTurns = async (
  claude: Claude,
  home: ClaudeHome,
  id: string,
  model = OLDER_MODEL,
): Promise<void> => {
  const making = threeTurnsBy.get(model) ?? makeThreeTurns(claude, model);
  threeTurnsBy.set(model, making);
  const made = await making;
  mkdirSync(dirname(transcriptOf(home, id)), { recursive: true });
  const [from, to] = [dirname(made.workspace), dirname(home.workspace)];
  const text = made.text
    .replaceAll(from, to)
    .replaceAll(folderName(from), folderName(to))
    .replaceAll(made.id, id);
  writeFileSync(transcriptOf(home, id), text);
};

export const CASES: readonly Case[] = [
  {
    name: "one prompt and its answer",
    async make(claude, home, id) {
      await claude.startSession(home, id, scripted("What is 2+2?", { say: "4" }));
    },
  },
  {
    name: "three turns with tools",
    make: (claude, home, id) => threeTurns(claude, home, id),
  },
  {
    name: "three turns with a model that takes system messages",
    make: (claude, home, id) => threeTurns(claude, home, id, NEWER_MODEL),
  },
  {
    name: "parallel calls, the first the slowest",
    async make(claude, home, id) {
      const calls = [run("timeout 1 tail -f /dev/null; echo slow"), run("echo quick"), run("echo third")];
      await claude.startSession(
        home,
        id,
        scripted("All at once.", { say: "Three calls.", calls }, { say: "Done." }),
      );
    },
  },
  {
    name: "a failed command and a file that is not there",
    async make(claude, home, id) {
      const missing = { name: "Read", input: { file_path: join(home.workspace, "missing.ts") } };
      const steps = [{ calls: [run("echo no >&2; exit 3")] }, { calls: [missing] }, { say: "Both failed." }];
      await claude.startSession(home, id, scripted("Try it.", ...steps), { model: NEWER_MODEL });
    },
  },
  {
    name: "files written, edited and read",
    async make(claude, home, id) {
      const file_path = join(home.workspace, "notes.md");
      const steps = [
        { calls: [{ name: "Write", input: { file_path, content: "one\ntwo\n" } }] },
        { calls: [{ name: "Edit", input: { file_path, old_string: "two", new_string: "three" } }] },
        { calls: [{ name: "Read", input: { file_path } }] },
        { say: "It says three." },
      ];
      await claude.startSession(home, id, scripted("Take notes.", ...steps));
    },
  },
  {
    name: "killed while one of two calls was running",
    async make(claude, home, id) {
      const prompt = scripted("Hang.", { say: "Running.", calls: [run("echo quick"), run(HANG)] });
      await claude.startSession(home, id, prompt, { killWhen: () => holds(home, id, '"stdout":"quick"') });
    },
  },
  {
    name: "killed before the model answered",
    async make(claude, home, id) {
      const prompt = scripted("Think for long.", { say: "Never said.", delayMs: 8000 });
      const killWhen = () => holds(home, id, '"last-prompt"');
      await claude.startSession(home, id, prompt, { model: NEWER_MODEL, killWhen });
    },
  },
  {
    name: "killed, and continued after that",
    async make(claude, home, id) {
      const prompt = scripted("Hang again.", { calls: [run(HANG)] });
      await claude.startSession(home, id, prompt, { killWhen: () => holds(home, id, '"tool_use"') });
      await claude.resume(home, id, scripted("Never mind.", { say: "All right." }));
    },
  },
  {
    name: "a request the service refused, and a second try",
    async make(claude, home, id) {
      await claude.startSession(home, id, scripted("Refuse me.", { status: 400 }));
      await claude.resume(home, id, scripted("Once more.", { say: "Now it works." }));
    },
  },
  {
    name: "ends with a refused request",
    async make(claude, home, id) {
      await claude.startSession(home, id, scripted("Fine.", { say: "Fine." }));
      await claude.resume(home, id, scripted("Refuse me.", { status: 400 }));
    },
  },
  {
    name: "thinking before words and calls",
    async make(claude, home, id) {
      const steps = [
        { think: "First I look.", say: "A look.", calls: [run("echo look")] },
        { think: "Then I tell.", say: "Told." },
      ];
      await claude.startSession(home, id, scripted("Think.", ...steps), { model: NEWER_MODEL });
    },
  },
  {
    name: "thinking of one model, continued with another",
    async make(claude, home, id) {
      const model = "claude-opus-4-1";
      await claude.startSession(home, id, scripted("Think.", { think: "My own thought.", say: "Thought." }), {
        model,
      });
      await claude.resume(home, id, scripted("Change.", { think: "Another's.", say: "Changed." }), {
        model: OLDER_MODEL,
      });
    },
  },
  {
    name: "a sub-agent",
    async make(claude, home, id) {
      const prompt = scripted("Count the files.", { calls: [run("echo counting")] }, { say: "Two files." });
      const input = { description: "Count files", subagent_type: "general-purpose", prompt };
      const steps = [{ calls: [{ name: "Agent", input }] }, { say: "Asked." }];
      await claude.startSession(home, id, scripted("Ask an agent.", ...steps), { model: NEWER_MODEL });
    },
  },
  {
    name: "output too large for the transcript",
    async make(claude, home, id) {
      await claude.startSession(
        home,
        id,
        scripted("Flood.", { calls: [run("seq 1 20000")] }, { say: "A flood." }),
      );
    },
  },
  {
    name: "an image read, and words in many scripts",
    async make(claude, home, id) {
      writeFileSync(join(home.workspace, "dot.png"), Buffer.from(TINY_PNG, "base64"));
      const image = { name: "Read", input: { file_path: join(home.workspace, "dot.png") } };
      const steps = [
        { calls: [image, run("printf '日本語 ünï 👩‍💻\\n'")] },
        { say: "見ました – ça va\u2028👍" },
      ];
      await claude.startSession(home, id, scripted("Schau, смотри: 👀 \u2028 e\u0301", ...steps));
    },
  },
  {
    name: "a file named with @, project instructions and a hook",
    async make(claude, home, id) {
      writeFileSync(join(home.workspace, "CLAUDE.md"), "Always run the tests.\n");
      writeFileSync(join(home.workspace, "price.ts"), "export const price = 42;\n");
      const hook = { type: "command", command: "echo mind the budget" };
      const settings = { hooks: { UserPromptSubmit: [{ hooks: [hook] }] } };
      writeFileSync(join(home.root, "settings.json"), JSON.stringify(settings));
      await claude.startSession(home, id, scripted("Explain @price.ts", { say: "It is 42." }), {
        model: NEWER_MODEL,
      });
    },
  },
  {
    name: "a fork",
    async make(claude, home, id) {
      const original = id.replace(/^.{8}/, "f0f0f0f0");
      await threeTurns(claude, home, original);
      const args = ["--fork-session", "--session-id", id];
      await claude.resume(home, original, scripted("Another way.", { say: "Another." }), { args });
    },
  },
  {
    name: "commands run in the prompt, between turns and at the end",
    async make(claude, home, id) {
      await claude.startSession(home, id, scripted("Begin.", { say: "Begun." }));
      await claude.resume(home, id, "/context");
      await claude.resume(home, id, scripted("Go on.", { say: "Gone on." }));
      await claude.resume(home, id, "/context");
    },
  },
  {
    name: "compacted",
    async make(claude, home, id) {
      await threeTurns(claude, home, id);
      await claude.resume(home, id, "/compact");
    },
  },
  {
    name: "compacted, and continued",
    async make(claude, home, id) {
      await threeTurns(claude, home, id, NEWER_MODEL);
      await claude.resume(home, id, "/compact");
      await claude.resume(
        home,
        id,
        scripted("What now?", { calls: [run("echo now")] }, { say: "Now this." }),
      );
    },
  },
  {
    name: "rewound to an earlier answer",
    async make(claude, home, id) {
      await threeTurns(claude, home, id);
      const rows = readFileSync(transcriptOf(home, id), "utf8").trimEnd().split("\n");
      const answer = rows
        .map((row) => JSON.parse(row))
        // The prompt names it as well, in its script.
        .find((row) => row.type === "assistant" && JSON.stringify(row).includes("Seen one."));
      const args = ["--resume-session-at", answer.uuid];
      await claude.resume(home, id, scripted("Take the other road.", { say: "Taken." }), { args });
    },
  },
  {
    name: "two programs writing to it at once",
    async make(claude, home, id) {
      await claude.startSession(home, id, scripted("Begin.", { say: "Begun." }));
      await Promise.all([
        claude.resume(home, id, scripted("Left.", { say: "Going left.", delayMs: 1500 })),
        claude.resume(home, id, scripted("Right.", { say: "Going right.", delayMs: 1000 })),
      ]);
    },
  },
  {
    name: "named by the user",
    async make(claude, home, id) {
      await claude.startSession(home, id, scripted("Name me.", { say: "Named." }), {
        args: ["--name", "My work"],
      });
    },
  },
  {
    name: "the last line torn off",
    async make(claude, home, id) {
      await threeTurns(claude, home, id);
      damage(home, id, (lines) => {
        const last = lines.findLastIndex((line) => line.includes("Finished."));
        return [...lines.slice(0, last).map(ended), (lines[last] ?? "").slice(0, 300)];
      });
    },
  },
  {
    name: "garbage, NUL bytes and blank lines between the rows",
    async make(claude, home, id) {
      await threeTurns(claude, home, id, NEWER_MODEL);
      damage(home, id, (lines) =>
        lines.flatMap((line, at) =>
          at % 5 === 4 ? [ended(line), "%%% {{{\n\n", Buffer.alloc(64), "\n"] : [ended(line)],
        ),
      );
    },
  },
  {
    name: "a byte order mark, CRLF and a NUL tail",
    async make(claude, home, id) {
      await threeTurns(claude, home, id);
      damage(home, id, (lines) => ["\ufeff", ...lines.map((line) => `${line}\r\n`), Buffer.alloc(512)]);
    },
  },
  {
    name: "a row missing in the middle",
    async make(claude, home, id) {
      await threeTurns(claude, home, id);
      const isGoOn = (line: string) => line.includes('"type":"user"') && line.includes("Go on.");
      damage(home, id, (lines) => lines.filter((line) => !isGoOn(line)).map(ended));
    },
  },
  {
    name: "rows of a kind nobody knows",
    async make(claude, home, id) {
      await threeTurns(claude, home, id);
      appendFileSync(transcriptOf(home, id), '{"type":"hologram","uuid":"x","parentUuid":null,"light":1}\n');
    },
  },
  ...WRITTEN.map(({ name, content }) => ({
    name: `written: ${name}`,
    async make(_claude: Claude, home: ClaudeHome, id: string) {
      mkdirSync(dirname(transcriptOf(home, id)), { recursive: true });
      writeFileSync(transcriptOf(home, id), content);
    },
  })),
];
