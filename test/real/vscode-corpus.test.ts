/** VS Code finds every session of the corpus sound, in every form, and we read them as it does. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { countsAgainst, type Problem } from "../../src/model/problem.ts";
import type { Artifact, Event } from "../../src/model/session/session.ts";
import { toTurns } from "../../src/model/session/turns.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import vscode from "../../src/sources/vscode/index.ts";
import {
  type CorpusStore,
  chatsOf,
  type Form,
  LARGE_MB,
  LONG_TURNS,
  largeChat,
  longChat,
  writeStore,
} from "./vscode-corpus.ts";
import { isSound, judgeWorkspace } from "./vscode-judge.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "rethread-corpus-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Where one text ends and the next begins is told with other spaces. */
const squeeze = (text: string): string => text.replace(/\s+/g, "");

async function readAll(user: string): Promise<Map<string, { turns: object[]; problems: Problem[] }>> {
  const artifacts: Artifact[] = [];
  await vscode.scan(localFs, user, {
    artifact: (artifact) => void artifacts.push(artifact),
    problem: (problem) => expect.fail(problem.message),
  });
  const found = new Map<string, { turns: object[]; problems: Problem[] }>();
  for (const artifact of artifacts) {
    const events: Event[] = [];
    const problems: Problem[] = [];
    await vscode.read(localFs, artifact, {
      event: (event) => void events.push(event),
      problem: (problem) => void (countsAgainst(problem) && problems.push(problem)),
    });
    const turns = toTurns(events).map(({ user, assistant }) => ({ user, assistant: squeeze(assistant) }));
    found.set(artifact.id, { turns, problems });
  }
  return found;
}

async function compare(user: string, store: CorpusStore): Promise<void> {
  const { sessions, indexAccepted } = await judgeWorkspace(store.folder);
  const read = await readAll(user);
  expect(indexAccepted).toBe(true);
  for (const [name, id] of store.sessions) {
    const judged = sessions.find((each) => each.id === id);
    expect.soft(judged && isSound(judged) && judged.listed, `${name}: ${JSON.stringify(judged)}`).toBe(true);
    const turns = judged?.turns?.map((each) => ({ ...each, assistant: squeeze(each.assistant) }));
    expect.soft(read.get(id), name).toEqual({ turns, problems: [] });
  }
}

it.each<Form>(["document", "log", "saved"])("every chat as a %s", async (form) => {
  const user = join(root, form);
  await compare(user, await writeStore(user, form));
  expect(Object.keys(chatsOf(form)).length).toBeGreaterThan(35);
});

it.each<Form>(["document", "saved"])(`${LONG_TURNS} turns and ${LARGE_MB} MB as a %s`, async (form) => {
  const user = join(root, `large-${form}`);
  await compare(user, await writeStore(user, form, { long: longChat(), large: largeChat() }));
});
