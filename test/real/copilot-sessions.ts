/** A corpus of sessions made by the real Copilot CLI, each with something that a reader can get wrong. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Copilot, type Headless, logHolds } from "./copilot.ts";
import { CORNERS, event } from "./copilot-corners.ts";
import { derive, toLog } from "./copilot-derived.ts";
import { type Step, scripted } from "./scripted-model.ts";

/** Name of a session -> its id. */
export type Corpus = Map<string, string>;

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const bash = (command: string) => ({ name: "bash", input: { command, description: "Run it" } });

export async function makeCorpus(copilot: Copilot): Promise<Corpus> {
  const corpus: Corpus = new Map();
  const newId = (name: string): string => {
    const id = `${(corpus.size + 1).toString(16).padStart(8, "0")}-0000-4000-8000-0123456789ab`;
    corpus.set(name, id);
    return id;
  };
  const notes = join(copilot.workspace, "notes.txt");
  writeFileSync(notes, "alpha\nbeta\n");
  writeFileSync(join(copilot.workspace, "pixel.png"), Buffer.from(PIXEL, "base64"));

  const headless = await copilot.headless();
  const talk = async (name: string, ...prompts: string[]): Promise<string> => {
    const id = newId(name);
    await headless.create(id);
    for (const prompt of prompts) await headless.say(id, prompt);
    return id;
  };
  const ask = (text: string, ...steps: Step[]): string => scripted(text, ...steps);

  await talk("several turns", "First question", "Second question", "Third question");
  const tools = await talk(
    "thinking and tools, one after the other",
    ask(
      "Look around",
      { say: "Looking.", think: "Where do I begin?", calls: [bash("ls")] },
      { calls: [{ name: "view", input: { path: notes } }] },
      {
        calls: [{ name: "create", input: { path: join(copilot.workspace, "new.txt"), file_text: "new\n" } }],
      },
      { say: "That is all." },
    ),
    "Thank you",
  );
  await talk(
    "parallel tools that finish out of order",
    ask(
      "All at once",
      {
        say: "Going.",
        calls: [bash("sleep 0.6; echo slow"), { name: "view", input: { path: notes } }, bash("echo fast")],
      },
      { say: "Three results." },
    ),
  );
  await talk(
    "failed tools",
    ask(
      "Try",
      {
        calls: [
          bash("echo out; exit 3"),
          { name: "view", input: { path: "/nowhere/at/all" } },
          { name: "no_such_tool", input: {} },
        ],
      },
      { say: "None worked." },
    ),
  );
  await talk("output too large to keep", ask("Count", { calls: [bash("seq 1 9000")] }, { say: "Counted." }));
  await talk(
    "unicode",
    ask(
      "Grüße 日本語 👩‍👩‍👧 \u2028 ‮right to left",
      { say: "Ça va — 好的 🚀", calls: [bash("printf 'naïve ✓'")] },
      { say: "✓" },
    ),
  );
  await talk(
    "call ids used again",
    ask(
      "Once",
      { calls: [{ ...bash("echo 1"), id: "call_0" }] },
      { calls: [{ ...bash("echo 2"), id: "call_0" }] },
      { say: "Twice." },
    ),
    ask("Again", { calls: [{ ...bash("echo 3"), id: "call_0" }] }, { say: "Thrice." }),
  );
  await talk("the model fails", "Fine so far", ask("Break", { status: 400 }), "Still there?");
  await talk(
    "a sub-agent",
    ask(
      "Delegate",
      {
        say: "Delegating.",
        calls: [
          {
            name: "task",
            input: task(
              ask("Look", { calls: [{ name: "view", input: { path: notes } }] }, { say: "Found it." }),
            ),
          },
        ],
      },
      { say: "The agent found it." },
    ),
    "And now?",
  );
  const attached = await talk("attachments", "Nothing attached");
  await headless.say(attached, "Look at these", {
    attachments: [
      { type: "file", path: notes, displayName: "notes.txt" },
      { type: "file", path: join(copilot.workspace, "pixel.png"), displayName: "pixel.png" },
      { type: "directory", path: copilot.workspace, displayName: "work" },
      {
        type: "blob",
        mimeType: "text/plain",
        displayName: "pasted",
        data: Buffer.from("pasted text").toString("base64"),
      },
    ],
  });

  await changeHistory(headless, talk, corpus);
  await headless.close();

  await fromTheCommandLine(copilot, newId);
  derive(copilot, newId, { attached, tools });
  for (const [name, events] of Object.entries(CORNERS)) {
    const id = newId(name);
    copilot.write(
      id,
      toLog([event("session.start", start(id)), ...events].map((one) => JSON.stringify(one))),
    );
  }
  return corpus;
}

const task = (prompt: string) => ({
  description: "look",
  agent_type: "explore",
  name: "looker",
  mode: "sync",
  prompt,
});

async function changeHistory(
  headless: Headless,
  talk: (name: string, ...prompts: string[]) => Promise<string>,
  corpus: Corpus,
): Promise<void> {
  const compacted = await talk("a compaction at the end", "Remember the number 7", ask1());
  await headless.call("session.history.compact", { sessionId: compacted });
  const twice = await talk("two compactions and turns between", "First", "Second");
  await headless.call("session.history.compact", { sessionId: twice });
  await headless.say(twice, "Third");
  await headless.call("session.history.compact", { sessionId: twice });
  await headless.say(twice, scripted("Fourth", { calls: [bash("echo after")] }, { say: "Done." }));

  const { points } = await headless.call("session.history.listRewindPoints", { sessionId: twice });
  corpus.set("a fork", (await headless.call("sessions.fork", { sessionId: twice })).sessionId);
  const cut = { sessionId: twice, toEventId: points.at(-1).eventId };
  corpus.set("a fork cut before a turn", (await headless.call("sessions.fork", cut)).sessionId);

  const rewound = await talk("a rewind, then another way on", "Keep this", "Drop this", "And this");
  const back = (await headless.call("session.history.listRewindPoints", { sessionId: rewound })).points[1];
  await headless.call("session.history.rewind", {
    sessionId: rewound,
    eventId: back.eventId,
    mode: "conversation",
  });
  await headless.say(rewound, "Another way");
}

const ask1 = (): string => scripted("Run something", { calls: [bash("echo before")] }, { say: "Ran." });

async function fromTheCommandLine(copilot: Copilot, newId: (name: string) => string): Promise<void> {
  const plain = newId("one plain turn");
  const denied = newId("a denied tool");
  await Promise.all([
    copilot.prompt(plain, "Hello"),
    copilot.prompt(denied, scripted("Delete it", { calls: [bash("rm -rf ./x")] }, { say: "Not allowed." }), {
      allowTools: false,
    }),
  ]);

  const slow = scripted("Wait", { say: "Waiting.", calls: [bash("echo quick"), bash("sleep 30")] });
  const killed = newId("killed in a tool call");
  const goesOn = newId("killed in a tool call, then resumed");
  await Promise.all(
    [killed, goesOn].map((id) =>
      copilot.prompt(id, slow, { killWhen: logHolds(copilot.log(id), '"success":true') }),
    ),
  );
  const shared = newId("two writers at once");
  await copilot.prompt(shared, "Shared");
  await Promise.all([
    copilot.prompt(goesOn, "What happened?"),
    copilot.prompt(shared, scripted("I am one", { calls: [bash("sleep 1; echo one")] }, { say: "One." })),
    copilot.prompt(shared, scripted("I am two", { calls: [bash("sleep 1; echo two")] }, { say: "Two." })),
  ]);
}

const start = (sessionId: string): object => ({
  sessionId,
  version: 1,
  producer: "copilot-agent",
  copilotVersion: "1.0.102",
  startTime: "2026-01-02T03:04:05.000Z",
});
