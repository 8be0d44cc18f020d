/** The messages of a replay beside those of `context`: the same, but for places in a file and what attached files add. */
import { dirname } from "node:path";
import type { ContextMessage } from "../src/model/session/context.ts";
import type { Artifact } from "../src/model/session/session.ts";
import { localFs } from "../src/platform/fs/local.ts";
import { readEvents } from "../src/sources/copilot-cli/event-writer/read-events.ts";
import { replay } from "../src/sources/copilot-cli/event-writer/state.ts";

const bare = ({ origin: _, ...message }: ContextMessage): ContextMessage => message;

export async function besideContext(artifact: Artifact, context: readonly ContextMessage[]) {
  const { events, problems } = await readEvents(localFs, dirname(artifact.path));
  const state = replay(events);
  const meant = context.map((message, index) => {
    // What attached files add is read from them on resume, and stands behind the prompt.
    const said = state.messages[index]?.text ?? "";
    const mayHaveMore = message.role === "user" && !message.madeUp;
    return bare(
      mayHaveMore && message.text.startsWith(`${said}\n\n\n\n<`) ? { ...message, text: said } : message,
    );
  });
  return { state, problems, replayed: state.messages.map(bare), meant };
}
