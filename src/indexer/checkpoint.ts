/** Splits a compaction's summary into the sections that Copilot CLI writes; any other summary becomes the overview. */
import type { CompactionEvent, SidecarText } from "../model/session/session.ts";
import { CHECKPOINT_SECTIONS, type CheckpointRow } from "../store/rows.ts";

export function parseCheckpoint(event: CompactionEvent, number: number): CheckpointRow {
  const { title, sections } = parseSummary(event.summary);
  return {
    number,
    title: event.title ?? title,
    sections: Object.keys(sections).length > 0 ? sections : { overview: event.summary.trim() },
    ...(event.time !== undefined && { at: event.time }),
  };
}

/** Nothing for a text without sections, which Copilot CLI's reindex passes over. */
export function parseCheckpointFile(text: string, number: number, at: string): CheckpointRow | undefined {
  const { title, sections } = parseSummary(text);
  return Object.values(sections).some((body) => body !== "") ? { number, title, sections, at } : undefined;
}

/** A checkpoint in a file of its own. One that somebody wrote without sections is an overview as a whole. */
export function parseSidecarCheckpoint(file: Extract<SidecarText, { kind: "checkpoint" }>): CheckpointRow {
  const { title, sections } = parseSummary(file.text);
  const hasSections = Object.values(sections).some((body) => body !== "");
  return {
    number: file.number,
    title: title || (file.title ?? ""),
    sections: hasSections ? sections : { overview: file.text.trim() },
    at: file.at,
  };
}

function parseSummary(text: string): Pick<CheckpointRow, "title" | "sections"> {
  const section = (name: string): string | undefined =>
    new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1]?.trim();
  const found = CHECKPOINT_SECTIONS.flatMap((name) => {
    const body = section(name);
    return body === undefined ? [] : [[name, body] as const];
  });
  return { title: section("checkpoint_title") ?? "", sections: Object.fromEntries(found) };
}
