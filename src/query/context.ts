/** Computes what the model would receive on resume, and where its tokens go. */

import { type Problem, severityOf } from "../model/problem.ts";
import type { ContextMessage } from "../model/session/context.ts";
import type { Session } from "../model/session/session.ts";
import type { Catalog } from "../sources/catalog.ts";
import { type ShareKind, splitMessages, textOf } from "./context-parts.ts";
import { type Progress, readHead, withinFile } from "./heads.ts";
import { type Naming, resolveSession } from "./resolve.ts";
import { type CountTokens, loadTokenizer } from "./tokens.ts";
import { createTurnPlaces } from "./turn-places.ts";

export interface CountedMessage extends ContextMessage {
  readonly tokens: number;
}

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
  const byRole = { user: 0, assistant: 0, tool: 0 };
  const parts = splitMessages(messages);
  const counted = messages.map((message, at): CountedMessage => {
    let tokens = 0;
    for (const part of parts[at] ?? []) {
      const cost = count(textOf(part));
      // Calls are one share; what came of them is one for each tool.
      const tool = part.kind === "tool-results" ? part.tool : undefined;
      const key = `${part.kind} ${tool ?? ""}`;
      const share = shares.get(key) ?? {
        kind: part.kind,
        tokens: 0,
        count: 0,
        ...(tool !== undefined && { tool }),
      };
      share.tokens += cost;
      share.count++;
      shares.set(key, share);
      tokens += cost;
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
