/** Computes what the model would receive on resume, and where its tokens go. */

import { type Problem, severityOf } from "../model/problem.ts";
import type { ContextMessage } from "../model/session/context.ts";
import type { Session } from "../model/session/session.ts";
import type { Catalog } from "../sources/catalog.ts";
import { type Progress, readHead, withinFile } from "./heads.ts";
import { type Naming, resolveSession } from "./resolve.ts";
import { type CountTokens, loadTokenizer } from "./tokens.ts";
import { createTurnPlaces } from "./turn-places.ts";

export interface CountedMessage extends ContextMessage {
  readonly tokens: number;
}

export type ShareKind = "prompts" | "answers" | "thinking" | "tool-calls" | "tool-results" | "made-up";

/** One slice of the whole; tool results are split by the tool that gave them. */
export interface TokenShare {
  readonly kind: ShareKind;
  readonly tool?: string;
  readonly tokens: number;
  /** How many messages, calls or results make it up. */
  readonly count: number;
}

export interface ContextReport {
  readonly session: Session;
  /** Damage: what the program drops, or stumbles over so that it may refuse to resume at all. */
  readonly problems: readonly Problem[];
  readonly messages: readonly CountedMessage[];
  readonly tokens: number;
  readonly byRole: Readonly<Record<ContextMessage["role"], number>>;
  /** Largest first. */
  readonly shares: readonly TokenShare[];
}

export async function contextOf(
  catalog: Catalog,
  name: string,
  progress?: Progress,
  naming?: Naming,
): Promise<ContextReport> {
  const found = await resolveSession(catalog, name, progress, naming);
  const places = createTurnPlaces();
  const tell = withinFile(progress);
  const { session, problems } = await readHead(catalog, found.artifact, found.problems, (event, artifact) => {
    places.event(event);
    tell?.(event, artifact);
  });
  const messages = await catalog.context(found.artifact);
  const turns = places.of(messages);
  const placed = messages.map((message, at) => ({ ...message, ...turnAt(turns[at]) }));
  const damage = problems.filter((problem) => severityOf(problem) === "damage");
  return { session, problems: damage, ...countContext(placed, await loadTokenizer()) };
}

const turnAt = (turn: number | null | undefined): { turn?: number } =>
  typeof turn === "number" ? { turn } : {};

/** Sums are plain: what the messages hold adds up to the whole, with nothing for framing that vendors do differently. */
export function countContext(
  messages: readonly ContextMessage[],
  count: CountTokens,
): Omit<ContextReport, "session" | "problems"> {
  const shares = new Map<string, { kind: ShareKind; tool?: string; tokens: number; count: number }>();
  const toolOf = new Map<string, string>();
  const byRole = { user: 0, assistant: 0, tool: 0 };
  const take = (kind: ShareKind, text: string, tool?: string): number => {
    const tokens = count(text);
    const key = `${kind} ${tool ?? ""}`;
    const share = shares.get(key) ?? { kind, tokens: 0, count: 0, ...(tool !== undefined && { tool }) };
    share.tokens += tokens;
    share.count++;
    shares.set(key, share);
    return tokens;
  };

  const counted = messages.map((message): CountedMessage => {
    let tokens = 0;
    if (message.thinking) tokens += take("thinking", message.thinking);
    if (message.role === "tool")
      tokens += take("tool-results", message.text, toolOf.get(message.toolCallId ?? "") ?? "unknown tool");
    else if (message.text !== "") tokens += take(kindOfText(message), message.text);
    for (const call of message.toolCalls ?? []) {
      toolOf.set(call.id, call.name);
      tokens += take("tool-calls", `${call.name} ${JSON.stringify(call.arguments) ?? ""}`);
    }
    byRole[message.role] += tokens;
    return { ...message, tokens };
  });
  return {
    messages: counted,
    tokens: byRole.user + byRole.assistant + byRole.tool,
    byRole,
    shares: [...shares.values()].sort((a, b) => b.tokens - a.tokens),
  };
}

function kindOfText(message: ContextMessage): ShareKind {
  if (message.madeUp) return "made-up";
  return message.role === "assistant" ? "answers" : "prompts";
}
