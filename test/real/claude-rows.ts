/** Writes transcripts row by row, as Claude Code would, for tests that need an exact shape. */
import { OLDER_MODEL } from "./claude-models.ts";

type Fields = Record<string, unknown>;

export interface Transcript {
  readonly lines: string[];
  text(): string;
  /** Any chained row, behind the one before; gives back its uuid. */
  row(fields: Fields): string;
  prompt(content: unknown, more?: Fields): string;
  answer(content: unknown, more?: Fields & { reply?: string; model?: string }): string;
  call(id: string, more?: Fields & { reply?: string }): string;
  result(id: string, more?: Fields): string;
  reminder(text: string, voice?: "user" | "system"): string;
  /** A compaction of everything so far, with the rows "boundary" and "summary"; a second one needs a prefix. */
  compact(preserved?: readonly string[], prefix?: string): string;
  note(fields: Fields): void;
  /** The next row hangs on this one. */
  goTo(uuid: string | null): void;
}

export function writeTranscript(model = OLDER_MODEL): Transcript {
  const lines: string[] = [];
  let last: string | null = null;
  let clock = Date.parse("2026-10-01T10:00:00.000Z");
  let count = 0;

  const row = (fields: Fields): string => {
    const uuid = String(fields.uuid ?? `row-${++count}`);
    clock += 1000;
    const timestamp = new Date(clock).toISOString();
    lines.push(JSON.stringify({ parentUuid: last, cwd: "/srv/shop", timestamp, ...fields, uuid }));
    last = uuid;
    return uuid;
  };
  const prompt: Transcript["prompt"] = (content, more = {}) =>
    row({ type: "user", message: { role: "user", content }, ...more });
  const answer: Transcript["answer"] = (content, { reply, model: other, ...more } = {}) => {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const message = {
      role: "assistant",
      id: reply ?? `reply-${++count}`,
      model: other ?? model,
      content: blocks,
    };
    return row({ type: "assistant", message, ...more });
  };

  return {
    lines,
    text: () => lines.map((line) => `${line}\n`).join(""),
    row,
    prompt,
    answer,
    call: (id, more) => answer([{ type: "tool_use", id, name: "Bash", input: { command: id } }], more),
    result: (id, more) =>
      prompt([{ type: "tool_result", tool_use_id: id, content: `output of ${id}` }], more),
    reminder: (text, voice = "system") =>
      row({
        type: "attachment",
        attachment: { type: "task_reminder", content: [], itemCount: 0 },
        rendered: [{ content: `<system-reminder>\n${text}\n</system-reminder>` }],
        renderedRole: voice,
      }),
    compact(preserved, prefix = "") {
      const logicalParentUuid = last;
      last = null;
      const anchorUuid = `${prefix}summary`;
      const compactMetadata = preserved ? { preservedMessages: { anchorUuid, uuids: preserved } } : {};
      row({
        uuid: `${prefix}boundary`,
        type: "system",
        subtype: "compact_boundary",
        content: "Compacted",
        logicalParentUuid,
        compactMetadata,
      });
      return prompt("Summary: all of it.", { uuid: anchorUuid, isCompactSummary: true });
    },
    note: (fields) => void lines.push(JSON.stringify(fields)),
    goTo(uuid) {
      last = uuid;
    },
  };
}
