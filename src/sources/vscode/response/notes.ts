/** What VS Code and the extension note beside the words of a turn, as lists. */
import type { Approval, NoteEvent, NoteItem, ToolProvider } from "../../../model/session/session.ts";
import { memberOf } from "../../../model/values/member.ts";
import { baseName } from "../../../model/values/paths.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import type { Path } from "../format/json-outline.ts";
import { markdown } from "../format/text.ts";
import { pathOf } from "../format/uri.ts";

export interface PlacedNote extends Pick<NoteEvent, "about" | "items"> {
  readonly at: Path;
}

/** All of a request but the task lists, which stand in its answer. */
export function notesOf(turn: JsonObject): PlacedNote[] {
  const details = asString(asObject(turn.result)?.details);
  return [
    {
      about: "references",
      items: asArray(turn.contentReferences).flatMap(toReference),
      at: ["contentReferences"],
    },
    { about: "citations", items: asArray(turn.codeCitations).flatMap(toCitation), at: ["codeCitations"] },
    { about: "followups", items: asArray(turn.followups).flatMap(toFollowup), at: ["followups"] },
    { about: "details", items: details ? [{ text: details }] : [], at: ["result", "details"] },
    { about: "agent", items: toAgent(turn.agent), at: ["agent"] },
  ].filter(({ items }) => items.length > 0) as PlacedNote[];
}

const STATUS: Readonly<Record<string, NonNullable<NoteItem["status"]>>> = {
  "not-started": "open",
  "in-progress": "active",
  completed: "done",
};

/** The task list as a call left it; undefined for calls of other tools. */
export function tasksOf(part: JsonObject): readonly NoteItem[] | undefined {
  const data = asObject(part.toolSpecificData);
  if (data?.kind !== "todoList") return undefined;
  return asArray(data.todoList)
    .filter(isObject)
    .map((task) => {
      const [detail, status] = [asString(task.description), memberOf(STATUS, asString(task.status) ?? "")];
      return { text: asString(task.title) ?? "", ...(detail && { detail }), ...(status && { status }) };
    });
}

/** A file, a place in one, or a variable, whose value may be one. */
function toReference(found: unknown): NoteItem[] {
  if (!isObject(found)) return [];
  const { reference } = found;
  const variable = isObject(reference) ? asString(reference.variableName) : undefined;
  const path = pathOf(variable !== undefined && isObject(reference) ? reference.value : reference);
  const text = variable ?? (path === undefined ? undefined : baseName(path));
  return text === undefined ? [] : [{ text, ...(path !== undefined && { path }) }];
}

function toCitation(found: unknown): NoteItem[] {
  if (!isObject(found)) return [];
  const [path, license, snippet] = [pathOf(found.value), asString(found.license), asString(found.snippet)];
  const text = license ?? path;
  if (text === undefined) return [];
  return [{ text, ...(path !== undefined && { path }), ...(snippet && { detail: snippet }) }];
}

function toFollowup(found: unknown): NoteItem[] {
  if (!isObject(found)) return [];
  const [title, message] = [asString(found.title), asString(found.message)];
  const text = title ?? message;
  return text ? [{ text, ...(message && message !== text && { detail: message }) }] : [];
}

/** Who answered, and which version of which extension that was. */
function toAgent(found: unknown): NoteItem[] {
  if (!isObject(found)) return [];
  const name = asString(found.fullName) || asString(found.name) || asString(found.id);
  const extension = asString(asObject(found.extensionId)?.value) ?? asString(found.extensionDisplayName);
  const detail = [extension, asString(found.extensionVersion)].filter(Boolean).join(" ");
  return name || detail ? [{ text: name || detail, ...(name && detail && { detail }) }] : [];
}

export const extensionVersionOf = (turn: JsonObject): string | undefined =>
  asString(asObject(turn.agent)?.extensionVersion) || undefined;

export function providerOf(part: JsonObject): ToolProvider | undefined {
  const source = asObject(part.source);
  const kind = asString(source?.type);
  if (!source || kind === undefined) return undefined;
  return {
    kind: kind === "internal" ? "built-in" : kind,
    name: markdown(source.label) ?? asString(source.serverLabel) ?? "",
  };
}

/** By the numbers that VS Code has for it; before 1.104 it was a plain boolean. */
const APPROVALS: readonly Approval[] = ["denied", "not-needed", "setting", "rule", "user", "skipped"];

export function approvalOf({ isConfirmed }: JsonObject): Approval | undefined {
  if (typeof isConfirmed === "boolean") return isConfirmed ? "user" : "denied";
  const type = asObject(isConfirmed)?.type;
  return typeof type === "number" ? APPROVALS[type] : undefined;
}
