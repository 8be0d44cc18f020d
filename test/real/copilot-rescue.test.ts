/** Damaged logs, judged by the real Copilot CLI before and after they are rescued. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { diagnose, inNeedOfRescue } from "../../src/query/doctor.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { type Editing, openEditing } from "./copilot-editing.ts";
import { MUTATIONS, seeded, soundLines } from "./copilot-rescue-mutations.ts";

/** Each damage at one place, every third at another, too; all of them at both where time does not matter. */
const seedsOf = (number: number): number[] =>
  number % 3 === 0 || process.env.RETHREAD_FULL !== undefined ? [1, 2] : [1];

interface Victim {
  readonly id: string;
  readonly name: string;
  readonly bytes: Buffer;
  /** Why the program refused it as it was. */
  refused?: string | undefined;
}

let copilot: Copilot;
let edit: EditCore;
let contextOf: Editing["contextOf"];
let catalog: Editing["catalog"];
const victims: Victim[] = Object.entries(MUTATIONS).flatMap(([name, mutate], number) =>
  seedsOf(number).map((seed) => {
    const id = randomUUID();
    const damaged = mutate(soundLines(id), seeded(seed));
    return { id, name: `${name}, seed ${seed}`, bytes: Buffer.from(damaged as string) };
  }),
);

beforeAll(async () => {
  copilot = await startCopilot();
  ({ edit, contextOf, catalog } = openEditing(copilot));
});
afterAll(() => copilot.close());

/** Asked of one server for all of them: it reads logs as `--resume` does. */
async function refusals(): Promise<Map<string, string | undefined>> {
  const headless = await copilot.headless();
  const found = new Map<string, string | undefined>();
  for (const { id } of victims)
    found.set(
      id,
      await headless.resume(id).then(
        () => undefined,
        (error: Error) => error.message,
      ),
    );
  await headless.close();
  return found;
}

describe(`a rescue of ${victims.length} damaged logs`, () => {
  it("makes the program resume each of them, with no message fewer", async () => {
    const write = (): void => {
      for (const { id, bytes } of victims) copilot.write(id, bytes);
    };
    write();
    for (const [id, why] of await refusals())
      Object.assign(victims.find((victim) => victim.id === id) ?? {}, { refused: why });
    // What the program itself mended while it looked is damaged again.
    write();
    const found = new Set(inNeedOfRescue(await diagnose(catalog)));
    expect(victims.filter(({ id }) => !found.has(`copilot-cli:${id}`)).map(({ name }) => name)).toEqual([]);
    const fewer: string[] = [];
    for (const { id, name } of victims) {
      const before = await contextOf(id);
      await edit.apply(await edit.planRescue(id));
      const after = await contextOf(id);
      if (after.length < before.length) fewer.push(`${name}: ${after.length} of ${before.length}`);
      expect((await edit.planRescue(id)).steps, name).toEqual([]);
    }
    const after = await refusals();
    expect(
      victims.flatMap(({ id, name }) => (after.get(id) === undefined ? [] : [`${name}: ${after.get(id)}`])),
    ).toEqual([]);
    expect(fewer).toEqual([]);
    const refused = victims.filter(({ refused }) => refused !== undefined);
    console.log(`${refused.length} of ${victims.length} were refused before, none is now`);
    expect(victims.length).toBeGreaterThan(40);
    expect(refused.length).toBeGreaterThan(15);
  });

  it("gives its model what `context` tells", async () => {
    const wanted = { "all lines joined": 16, "one record written into another": 16, "an empty log": 0 };
    for (const [name, count] of Object.entries(wanted)) {
      const { id } = victims.find((victim) => victim.name === `${name}, seed 1`) as Victim;
      const { code, messages, stderr } = await copilot.resume(id);
      const sound = await contextOf(id);
      expect({ code, texts: messages?.map(({ text }) => text) }, stderr).toEqual({
        code: 0,
        texts: sound.map(({ text }) => text),
      });
      expect(sound).toHaveLength(count);
    }
  });

  it("brings back what the program drops when it repairs a log itself", async () => {
    const id = randomUUID();
    const lines = soundLines(id);
    const prompt = lines[8] ?? "";
    copilot.write(id, `${lines.join("\n").replace(prompt, prompt.replace("what about", "what\nabout"))}\n`);
    const headless = await copilot.headless();
    await headless.resume(id);
    await headless.say(id, "And on it goes");
    await headless.close();
    const before = (await contextOf(id)).length;
    expect(inNeedOfRescue(await diagnose(catalog))).toEqual([`copilot-cli:${id}`]);
    await edit.apply(await edit.planRescue(id));
    const { code, messages, stderr } = await copilot.resume(id);
    expect({ code, messages }, stderr).toEqual({ code: 0, messages: await contextOf(id) });
    expect(messages).toHaveLength(before + 1);
    expect(messages?.map(({ text }) => text)).toContainEqual(expect.stringContaining("what\nabout"));
  });

  it("is taken back to the byte", async () => {
    const { id, bytes } = victims[0] as Victim;
    copilot.write(id, bytes);
    const { operation } = await edit.apply(await edit.planRescue(id));
    await edit.apply(await edit.planUndo(operation));
    expect(readFileSync(copilot.log(id)).equals(bytes)).toBe(true);
  });
});
