/** Sessions as resources: `rethread://session/{source}:{id}`, listed page by page, read as Markdown-like text. */
import type { Call } from "../app/contract.ts";
import { AppError } from "../model/errors.ts";
import { clip } from "../model/summary/summary.ts";
import { withoutCutWords } from "../model/text/cut-words.ts";
import { formatKey } from "../model/values/id.ts";
import { callTool, contextOf, type McpParts, type ToolAnswer } from "./call-tool.ts";
import brief from "./tools/brief.ts";
import read from "./tools/read.ts";

const SCHEME = "rethread://session/";
export const RESOURCE_TEMPLATE = `${SCHEME}{session}{?from,to,budget}`;
const PAGE = 50;
/** A resource is read as a whole more often than an answer is. */
const RESOURCE_BUDGET = 8000;
const MEDIA = "text/plain";

export interface SessionResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export async function listResources(
  parts: McpParts,
  cursor: string | undefined,
  call: Call,
): Promise<{ resources: SessionResource[]; nextCursor?: string }> {
  const { ask } = contextOf(parts, RESOURCE_BUDGET, call);
  const { sessions, next } = await ask("list", {
    limit: PAGE,
    owners: false,
    ...(cursor !== undefined && { cursor }),
  });
  return {
    resources: sessions.map((session) => ({
      uri: `${SCHEME}${encodeURIComponent(formatKey(session)).replaceAll("%3A", ":")}`,
      name: formatKey(session),
      // As it was recorded, and therefore in quotation marks.
      title: `"${clip(withoutCutWords(session.title), 80)}"`,
      description: `Recorded session, ${session.turns} ${session.turns === 1 ? "turn" : "turns"}, last active ${session.updatedAt ?? "at an unknown time"}`,
      mimeType: MEDIA,
    })),
    ...(next !== null && { nextCursor: next }),
  };
}

export async function readResource(
  parts: McpParts,
  uri: string,
  call: Call,
): Promise<{ uri: string; mimeType: string; text: string }[]> {
  const { session, ...range } = parseUri(uri);
  const told = async (tool: typeof read, input: object): Promise<ToolAnswer> => {
    const answer = await callTool(parts, tool, { session, budget: RESOURCE_BUDGET, ...input }, call);
    if (answer.isError) throw new AppError("session-not-found", answer.text, "List the resources");
    return answer;
  };
  // What it is about comes first, unless some turns were asked for.
  const { text } = Object.keys(range).some((name) => name !== "budget")
    ? await told(read, range)
    : await whole(told, range);
  return [{ uri, mimeType: MEDIA, text }];
}

async function whole(
  told: (tool: typeof read, input: object) => Promise<ToolAnswer>,
  { budget = RESOURCE_BUDGET }: { readonly budget?: number },
): Promise<{ readonly text: string }> {
  const about = Math.max(100, Math.floor(budget / 4));
  const [summary, turns] = [
    await told(brief, { budget: about }),
    await told(read, { budget: Math.max(100, budget - about) }),
  ];
  return { text: `${summary.text}\n\n${turns.text}` };
}

interface Wanted {
  readonly session: string;
  readonly from?: number;
  readonly to?: number;
  readonly budget?: number;
}

function parseUri(uri: string): Wanted {
  if (!uri.startsWith(SCHEME)) throw unknownUri();
  const [path = "", query = ""] = uri.slice(SCHEME.length).split("?");
  let session: string;
  try {
    session = decodeURIComponent(path);
  } catch {
    throw unknownUri();
  }
  if (session === "") throw unknownUri();
  const numbers = [...new URLSearchParams(query)].map(([name, text]) => {
    if (!["from", "to", "budget"].includes(name) || !/^\d{1,6}$/.test(text)) throw unknownUri();
    return [name, Number(text)] as const;
  });
  return { session, ...Object.fromEntries(numbers) };
}

const unknownUri = (): AppError =>
  new AppError("usage", "That is no address of a session", `Use ${RESOURCE_TEMPLATE}`);
