/** The format of VS Code's own *Export Chat…* and *Import Chat…*. */

import type { Artifact } from "../../../../model/session/session.ts";
import { writeJson } from "../../../../model/values/json.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { CopyOptions, Interchange } from "../../../interchange.ts";
import { toTurn } from "../../format/parsed-session.ts";
import { TURNS } from "../../format/record.ts";
import { inWholeSession } from "../../format/session-file.ts";
import { inspectSession } from "../copy/inspect.ts";
import { readChat } from "./read.ts";

/** An export, a document as VS Code stores it, or a log of one. */
const IS_OBJECT = /^\ufeff?\s*\{/;
const IS_LOG = /^\ufeff?\s*\{"kind":0,"v":\{/;
const HAS_FIELDS = /"(responderUsername|initialLocation|requests)"\s*:/;

export const interchange: Interchange = {
  format: "vscode",
  isOne: (beginning) => IS_LOG.test(beginning) || (IS_OBJECT.test(beginning) && HAS_FIELDS.test(beginning)),
  copy: writeChat,
  read: readChat,
};

const INDENT = 2;

async function writeChat(
  fs: SessionFs,
  artifact: Artifact,
  { clean, write }: CopyOptions,
): Promise<string[]> {
  // Of a chat with one bad turn VS Code would show nothing at all.
  const { head } = await inspectSession(fs, artifact);
  const fields = {
    responderUsername: head.responderUsername,
    initialLocation: head.initialLocation ?? "panel",
  };
  write(`${pretty(clean(fields), 0).slice(0, -"\n}".length)},\n  ${JSON.stringify(TURNS)}: [`);
  let end = "]\n}";
  await inWholeSession(fs, artifact.path, async ({ parsed, load }) => {
    for (const [index, slot] of parsed.turns.entries()) {
      const { value } = await toTurn(parsed.changes.of(slot), load);
      write(`${index === 0 ? "" : ","}\n    ${pretty(clean(value), 2)}`);
      end = "\n  ]\n}";
    }
  });
  write(end);
  return ["title, dates and unsent draft of the chat: VS Code's own export does not include them either"];
}

/** As it stands so deep inside of another object. */
const pretty = (value: unknown, depth: number): string =>
  writeJson(value, INDENT).replaceAll("\n", `\n${" ".repeat(depth * INDENT)}`);
