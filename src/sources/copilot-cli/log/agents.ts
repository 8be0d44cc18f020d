/** Maps the ids of sub-agents to the tool calls that started them. */
import { asString } from "../../log/jsonl.ts";
import { roleOf } from "./event-types.ts";
import type { CopilotRecord } from "./records.ts";

export type AgentCalls = readonly (readonly [agent: string, callId: string])[];

export interface Agents {
  note(record: CopilotRecord): void;
  /** The call whose sub-agent did this; nothing for the main conversation. */
  callOf(record: CopilotRecord): string | undefined;
  /** To begin with the next time. */
  entries(): AgentCalls;
}

export function createAgents(before: AgentCalls = []): Agents {
  const calls = new Map<string, string>(before);
  return {
    note({ type, agentId, data }) {
      if (roleOf(type) === "agent-start" && agentId !== undefined)
        calls.set(agentId, asString(data.toolCallId) ?? agentId);
    },
    callOf: ({ agentId, data }) =>
      asString(data.parentToolCallId) ??
      (agentId === undefined ? undefined : (calls.get(agentId) ?? agentId)),
    entries: () => [...calls],
  };
}
