/** Why a line was written: the prompt of its turn, and what the agent thought and said before it wrote. */
import type { Part, Turn } from "../../model/session/turns.ts";

export interface Reason {
  readonly kind: "thinking" | "text";
  readonly text: string;
}

export interface Why {
  readonly prompt: string;
  /** In the order of the conversation. */
  readonly reasons: readonly Reason[];
  /** The tool that wrote it, as its program calls it. */
  readonly tool?: string;
}

/** What stands before a call in the parts around it; all of the turn where the call is not to be found. */
export function whyOf({ user, parts }: Turn, callId: string | undefined): Why {
  const found = callId === undefined ? undefined : before(parts, callId);
  const reasons = (found?.parts ?? parts).flatMap((part): Reason[] =>
    (part.kind === "thinking" || part.kind === "text") && part.text.trim() !== ""
      ? [{ kind: part.kind, text: part.text.trim() }]
      : [],
  );
  return { prompt: user.trim(), reasons, ...(found && { tool: found.tool }) };
}

/** A sub-agent's own words come after those of the agent that started it. */
function before(
  parts: readonly Part[],
  callId: string,
): { parts: readonly Part[]; tool: string } | undefined {
  for (const [at, part] of parts.entries()) {
    if (part.kind !== "tool") continue;
    if (part.callId === callId) return { parts: parts.slice(0, at), tool: part.name };
    const inside = before(part.children ?? [], callId);
    if (inside) return { ...inside, parts: [...parts.slice(0, at), ...inside.parts] };
  }
  return undefined;
}
