import { expect, it } from "vitest";
import type { Problem } from "../../model/problem.ts";
import type { Artifact } from "../../model/session/session.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import source from "./index.ts";
import { parseLogName } from "./locate.ts";
import { inspect, scan } from "./scan.ts";

const ID = "01a1eec5-24e2-7161-b425-4271ec347d3f";
const OTHER = "01a1eec8-15aa-7261-8941-ba6be4f7e5c0";
const DAY = "/codex/sessions/2026/11/18";
const name = (ids: string) => `rollout-2026-11-18T13-07-39-${ids}.jsonl`;

async function found(files: Record<string, string>) {
  const fs = createMemoryFs(files);
  const artifacts: Artifact[] = [];
  const problems: Problem[] = [];
  await scan(fs, "/codex", {
    artifact: (artifact) => void artifacts.push(artifact),
    problem: (problem) => void problems.push(problem),
  });
  return { fs, artifacts, problems };
}

it("knows logs by their names", () => {
  expect(parseLogName(name(ID))).toEqual({ session: ID, log: ID, isCompressed: false });
  expect(parseLogName(`${name(`${ID}_${OTHER}`)}.zst`)).toEqual({
    session: ID,
    log: OTHER,
    isCompressed: true,
  });
  expect(parseLogName(`rollout-${ID}.jsonl`)).toBeUndefined();
});

it("takes the last log of a session that was taken back, and leaves the first one in peace", async () => {
  const { artifacts, problems } = await found({
    [`${DAY}/${name(ID)}`]: "",
    [`${DAY}/${name(`${ID}_${OTHER}`)}`]: "",
    [`${DAY}/${name(`${ID}_${OTHER.replace("1", "0")}`)}`]: "",
  });
  expect(artifacts.map(({ id, path }) => [id, path])).toEqual([[ID, `${DAY}/${name(`${ID}_${OTHER}`)}`]]);
  expect(problems).toEqual([]);
});

it("finds the archive, whose sessions are resumed in two steps and not by one command", async () => {
  const { artifacts } = await found({ [`/codex/archived_sessions/${name(ID)}`]: "" });
  const [artifact] = artifacts;
  if (!artifact) throw new Error("nothing found");
  const session = await source.read(createMemoryFs({ [artifact.path]: "{}\n" }), artifact, {
    event: () => undefined,
    problem: () => undefined,
  });
  expect(session.resume).toBe(`codex unarchive ${ID} && codex resume ${ID}`);
  expect(source.start?.command(artifact, session)).toBeUndefined();
});

it("knows the last name that a session was given, also when it is looked at again", async () => {
  const named = (thread_name: string) => `${JSON.stringify({ id: ID, thread_name })}\n`;
  const { fs, artifacts } = await found({
    [`${DAY}/${name(ID)}`]: "",
    "/codex/session_index.jsonl": `${named("First")}not JSON\n${named("Second")}`,
  });
  expect(artifacts[0]?.listed).toEqual({ state: "listed", title: "Second" });
  await fs.write("/codex/session_index.jsonl", Buffer.from(named("Third")));
  expect((await inspect(fs, artifacts[0] as Artifact))?.listed?.title).toBe("Third");
});
