/** Finds the repository and branch that the extension told the model about in a turn. */
import { toRepositoryName } from "../../../model/values/repository.ts";
import { asArray, asObject, asString, type JsonObject } from "../../log/jsonl.ts";

export interface RepoContext {
  readonly repository?: string;
  readonly branch?: string;
}

const OPEN = "<repoContext>";
const CLOSE = "</repoContext>";
/** What the person wrote stands last, and may quote anything. */
const REQUEST = "<userRequest>";

export function repoContextIn(turn: JsonObject): RepoContext {
  for (const part of asArray(asObject(asObject(turn.result)?.metadata)?.renderedUserMessage)) {
    const text = asString(asObject(part)?.text);
    // Most texts have none, and some are long.
    const open = text?.indexOf(OPEN) ?? -1;
    if (text === undefined || open < 0) continue;
    const request = text.indexOf(REQUEST);
    const at = request < 0 ? open : text.lastIndexOf(OPEN, request);
    const close = text.indexOf(CLOSE, at);
    if (at >= 0 && close >= 0) return toRepoContext(text.slice(at + OPEN.length, close));
  }
  return {};
}

function toRepoContext(block: string): RepoContext {
  const said = (what: string): string | undefined =>
    new RegExp(`^\\s*${what}: *(\\S+)`, "m").exec(block)?.[1]?.trim();
  const [owner, name, branch] = ["Owner", "Repository name", "Current branch"].map(said);
  const repository = owner && name ? toRepositoryName(`${owner}/${name}`) : undefined;
  return { ...(repository !== undefined && { repository }), ...(branch !== undefined && { branch }) };
}
