/** What was said in a session of the program, as messages of a conversation: the words of both sides, and nothing else. */
import type { ChatMessage } from "../../bridge/chat-record.ts";
import type { Artifact, Event } from "../../model/session.ts";
import type { Catalog } from "../../sources/catalog.ts";

export async function readHistory(catalog: Catalog, artifact: Artifact): Promise<readonly ChatMessage[]> {
  const history = createHistory();
  await catalog.read(artifact, { event: history.add, problem: () => undefined }, { skim: true });
  return history.messages;
}

/** Several texts between two prompts are one answer. */
export function createHistory(): { readonly messages: readonly ChatMessage[]; add(event: Event): void } {
  const messages: ChatMessage[] = [];
  return {
    messages,
    add(event) {
      if ((event.kind !== "prompt" && event.kind !== "text") || event.agent !== undefined) return;
      const at = event.time ?? messages.at(-1)?.at ?? new Date(0).toISOString();
      const last = messages.at(-1);
      if (event.kind === "prompt") messages.push({ role: "user", text: event.text, at });
      else if (last?.role !== "assistant") messages.push({ role: "assistant", text: event.text, at });
      else messages[messages.length - 1] = { ...last, text: `${last.text}\n\n${event.text}` };
    },
  };
}
