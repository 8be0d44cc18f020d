/** A transcript whose pictures stayed on another machine, as a push takes them out, judged by the real Claude Code. */
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { pictureAt } from "../../src/demo/pictures.ts";
import { placeholderOf } from "../../src/model/redact/media-formats.ts";
import { createPictureRemover } from "../../src/model/redact/pictures.ts";
import { createHome, openClaude, transcriptOf } from "./claude.ts";
import { scripted } from "./scripted-model.ts";

const claude = openClaude();
const home = createHome();
afterAll(async () => {
  await claude.close();
  home.remove();
});

it("is resumed with the same messages, a point in the place of each picture", async () => {
  const id = randomUUID();
  writeFileSync(join(home.workspace, "shot.png"), Buffer.from(pictureAt("ci-runs.png").data, "base64"));
  const read = { name: "Read", input: { file_path: join(home.workspace, "shot.png") } };
  await claude.startSession(home, id, scripted("Look.", { calls: [read] }, { say: "Grey." }));
  const before = JSON.stringify(await claude.historySent(home, id));
  const [data = ""] = /iVBORw0KGgo[\w+/]+=*/.exec(before) ?? [];
  expect(data.length).toBeGreaterThan(1000);

  const transcript = transcriptOf(home, id);
  const remover = createPictureRemover();
  const lines = readFileSync(transcript, "utf8").split("\n").map(remover.from);
  expect(remover.counted()).toBeGreaterThan(0);
  writeFileSync(transcript, lines.join("\n"));
  const after = JSON.stringify(await claude.historySent(home, id));
  expect(after).toBe(before.replaceAll(data, placeholderOf("png")));
});
