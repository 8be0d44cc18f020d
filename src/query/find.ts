/** Finds every place of a session that says something, turn by turn. */
import { AppError } from "../model/errors.ts";
import type { Event } from "../model/session/session.ts";
import { startsTurn } from "../model/session/turns.ts";
import { toPatternSource } from "../model/text/escape-regexp.ts";
import { MARK } from "../model/text/marks.ts";
import type { SessionKey } from "../model/values/id.ts";
import type { Catalog } from "../sources/catalog.ts";
import { type Progress, withinFile } from "./heads.ts";
import { locateSession, type Naming } from "./resolve.ts";

export const FIND_PLACES = [
  "user",
  "assistant",
  "thinking",
  "tool",
  "edit",
  "checkpoint",
  "notice",
  "note",
] as const;
export type FindPlace = (typeof FIND_PLACES)[number];

export interface TextMatch {
  /** Nothing for what stands before the first prompt. */
  readonly turn?: number;
  readonly where: FindPlace;
  /** The call that it is in: one of a tool, or the one that started a sub-agent. */
  readonly callId?: string;
  /** Its record: the line, and the file where that is not the session's own. */
  readonly line: number;
  readonly file?: string;
  /** What stands around it on one line, with the match marked. */
  readonly snippet: string;
}

export interface FoundText {
  readonly session: SessionKey;
  /** The first ones, in the order of the conversation. */
  readonly matches: readonly TextMatch[];
  /** How many there are. */
  readonly total: number;
}

export interface FindRequest {
  /** Plain text, in any case. */
  readonly text: string;
  readonly limit?: number;
}

const ENOUGH_MATCHES = 500;
/** What a snippet has before and after the match, in characters. */
const AROUND = { before: 40, after: 100 };
const LONGEST_MATCH = 200;

export async function findText(
  catalog: Catalog,
  name: string,
  { text, limit = ENOUGH_MATCHES }: FindRequest,
  { progress, naming }: { readonly progress?: Progress; readonly naming?: Naming } = {},
): Promise<FoundText> {
  if (text.trim() === "") throw new AppError("usage", "There is nothing to find", "Name at least one letter");
  const artifact = await locateSession(catalog, name, progress, naming);
  const pattern = new RegExp(toPatternSource(text), "giu");
  const within = withinFile(progress);
  const matches: TextMatch[] = [];
  const turnOf = new Map<string, number | undefined>();
  let total = 0;
  let open: number | undefined;
  const look = (event: Event): void => {
    if (startsTurn(event)) open = open === undefined ? 0 : open + 1;
    // The work of a sub-agent and a late result stand in the turn that made the call.
    const callId = callOf(event);
    if (event.kind === "tool-call" && !turnOf.has(event.callId))
      turnOf.set(event.callId, turnOf.get(event.agent ?? "") ?? open);
    const turn = callId !== undefined && turnOf.has(callId) ? turnOf.get(callId) : open;
    const place = PLACES[event.kind];
    if (!place) return;
    for (const said of textsOf(event))
      for (const match of said.matchAll(pattern)) {
        total++;
        if (matches.length >= limit) continue;
        const { line, file } = event.origin;
        matches.push({
          where: place,
          snippet: snippetOf(said, match.index, match[0].length),
          line,
          ...(file !== undefined && { file }),
          ...(turn !== undefined && { turn }),
          ...(callId !== undefined && { callId }),
        });
      }
  };
  await catalog.read(
    artifact,
    {
      event(event) {
        within?.(event, artifact);
        look(event);
      },
      problem: () => undefined, // the outline reports them
    },
    { textLimit: Number.POSITIVE_INFINITY },
  );
  return { session: { source: artifact.source, id: artifact.id }, matches, total };
}

const PLACES: Readonly<Partial<Record<Event["kind"], FindPlace>>> = {
  prompt: "user",
  text: "assistant",
  thinking: "thinking",
  "tool-call": "tool",
  "tool-result": "tool",
  edit: "edit",
  compaction: "checkpoint",
  notice: "notice",
  note: "note",
};

const callOf = (event: Event): string | undefined =>
  event.kind === "tool-call" || event.kind === "tool-result" ? event.callId : event.agent;

/** As pages show it. */
function textsOf(event: Event): readonly string[] {
  switch (event.kind) {
    case "compaction":
      return [event.title ?? "", event.summary];
    case "tool-call":
      return [event.name, ...textsIn(event.input)];
    case "edit":
      return [event.path];
    case "note":
      return event.items.flatMap(({ text, path, detail }) => [text, path ?? "", detail ?? ""]);
    // A sub-agent's own prompt is already the input of the call that started it.
    case "prompt":
      return event.agent === undefined ? [event.text] : [];
    case "usage":
    case "clear":
      return [];
    default:
      return [event.text];
  }
}

/** Every text in what a tool is given. Readers cut what is nested too deeply. */
function textsIn(input: unknown): string[] {
  if (typeof input === "string") return [input];
  if (typeof input === "number") return [String(input)];
  return typeof input === "object" && input !== null ? Object.values(input).flatMap(textsIn) : [];
}

function snippetOf(text: string, start: number, length: number): string {
  const end = start + Math.min(length, LONGEST_MATCH);
  const [from, to] = [Math.max(0, start - AROUND.before), Math.min(text.length, end + AROUND.after)];
  const plain = (piece: string): string =>
    piece.toWellFormed().replaceAll(MARK.open, " ").replaceAll(MARK.close, " ").replace(/\s+/gu, " ");
  return [
    from > 0 ? "…" : "",
    plain(text.slice(from, start)),
    `${MARK.open}${plain(text.slice(start, end))}${MARK.close}`,
    plain(text.slice(end, to)),
    to < text.length ? "…" : "",
  ].join("");
}
