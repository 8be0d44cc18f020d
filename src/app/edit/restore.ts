/** The plan of a conversation that rethread remembers, as a new session of the program that it was held with. */
import { randomUUID } from "node:crypto";
import type { Scale } from "../../edit/apply/verify.ts";
import { toImportPlan } from "../../edit/plan/import.ts";
import { AppError } from "../../model/errors.ts";
import type { Conversation, ConversationTurn } from "../../model/handoff/conversation.ts";
import type { EditPlan } from "../../model/plan.ts";
import type { SourceId } from "../../model/session/session.ts";
import type { Catalog } from "../../sources/catalog.ts";

export interface RestoreOf {
  /** Whose program it was held with. */
  readonly source: SourceId;
  /** By which it is remembered. */
  readonly id: string;
  readonly name: string;
  /** The folder that it is about. */
  readonly workspace: string;
  readonly createdAt: string;
  readonly messages: readonly {
    readonly role: "user" | "assistant";
    readonly text: string;
    readonly at: string;
  }[];
  /** One sentence that says where it comes from, for people who read the session. */
  readonly note: string;
}

export interface RestoreParts {
  readonly catalog: Catalog;
  readonly now: Date;
  loadScale(): Promise<Scale>;
}

export async function planRestore(
  remembered: RestoreOf,
  { catalog, now, loadScale }: RestoreParts,
): Promise<EditPlan> {
  const { source, id, name, workspace, note } = remembered;
  const writer = await catalog.handoff(source);
  const root = catalog.sources.find((each) => each.source === source)?.roots[0];
  if (!writer || root === undefined)
    throw new AppError(
      "not-supported",
      `Conversations cannot be written as sessions of ${source}`,
      "Start a new conversation",
    );
  const request = { root, id: randomUUID(), now, name, workspace, note };
  const draft = await writer.draw(catalog.fs, toConversation(remembered), request);
  const editing = { source: catalog.source(source), editor: writer };
  const from = { source, id };
  return toImportPlan(editing, catalog.fs, draft, { from, root, title: name, scale: await loadScale() });
}

/** What was said; an answer of which nothing came is none. */
function toConversation({ source, id, name, createdAt, messages }: RestoreOf): Conversation {
  const turns: ConversationTurn[] = [];
  for (const { role, text, at: time } of messages) {
    if (text.trim() === "") continue;
    const last = turns.at(-1);
    if (role === "user") turns.push({ prompt: { text, time, images: [], files: [] }, replies: [] });
    else {
      const reply = { text, time, calls: [] };
      if (last) turns[turns.length - 1] = { ...last, replies: [...last.replies, reply] };
      else turns.push({ replies: [reply] });
    }
  }
  return {
    session: {
      ...{ source, id, title: name, createdAt, turns: turns.length },
      ...{ problems: 0, models: [], path: "", bytes: 0 },
    },
    turns,
    left: { reminders: 0, earlierTurns: 0, agentCalls: 0, images: 0, attachments: 0 },
  };
}
