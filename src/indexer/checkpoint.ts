/** Takes a compaction's summary apart into the sections that Copilot CLI writes; any other summary is an overview. */
import type { CompactionEvent } from "../model/session.ts";
import { CHECKPOINT_SECTIONS, type CheckpointRow } from "../store/rows.ts";

export function parseCheckpoint(event: CompactionEvent, number: number): CheckpointRow {
  const section = (name: string): string | undefined =>
    new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(event.summary)?.[1]?.trim();
  const found = CHECKPOINT_SECTIONS.flatMap((name) => {
    const body = section(name);
    return body === undefined ? [] : [[name, body] as const];
  });
  return {
    number,
    title: event.title ?? section("checkpoint_title") ?? "",
    sections: found.length > 0 ? Object.fromEntries(found) : { overview: event.summary.trim() },
    ...(event.time !== undefined && { at: event.time }),
  };
}
