/** Which strings of a transcript are paths that follow a folder, which the program's words about them, and which others' words. */
import { join } from "node:path";
import { toPatternSource } from "../../../../model/text/escape-regexp.ts";
import { isAtOrBelow } from "../../../../model/values/paths.ts";
import {
  createMentionFinder,
  type Relocation,
  relocate,
  relocateAny,
} from "../../../../model/values/relocate.ts";
import { asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { type LogRules, type MoveString, substitute } from "../../../log/moved-log.ts";
import { isPathName } from "../../../log/path-members.ts";
import { STATE_MARK, type StateMover } from "./file-states.ts";

export interface RowMove {
  /** Of the paths of files. */
  readonly relocation: Relocation;
  /** Of the folders that rows were written in, which follow whatever becomes of other paths. */
  readonly place: Pick<Relocation, "from" | "to">;
  readonly states: StateMover;
  /** The home of the program, which stays where it is. */
  readonly root: string;
  readonly withText: boolean;
  /** What lies beside the transcript, and lies elsewhere now. */
  readonly own?: OwnFolders;
}

export interface OwnFolders {
  readonly id: string;
  /** The session's own folder. */
  readonly session: Relocation;
  /** The folder that the sessions of a workspace lie in, and the name of it. */
  readonly project: Relocation;
  readonly projectName: string;
  /** The names of its outputs of tools. */
  readonly outputs: ReadonlySet<string>;
}

/** These hold what was in a file, though they are called as if they held its path. */
const CONTENTS = new Set(["originalFile", "original_file", "updated_file"]);

/** Files and folders that a person sent along; everything else attached is the program's own. */
const SENT_ALONG = new Set<unknown>(["file", "directory", "compact_file_reference", "selected_lines_in_ide"]);

export function rowRules(of: RowMove): LogRules {
  const { place, states, own } = of;
  const movePath = createPathMover(of);
  const moveOutputs = own ? createOutputMover(own) : (text: string) => text;
  const words = (value: string): ReturnType<MoveString> => {
    const text = moveOutputs(value);
    return text === value ? "words" : { text, as: "others", isWords: true };
  };
  const inRow =
    (as: "toolCalls" | "others"): MoveString =>
    (names, value) => {
      if (names.length === 1 && (names[0] === "cwd" || names[0] === "relocatedCwd")) {
        const text = relocate(value, place);
        return text === undefined ? "kept" : { text, as: "folders" };
      }
      const text = movePath(names, value);
      return text === undefined ? words(value) : { text, as };
    };
  return {
    withText: of.withText,
    except: of.root,
    alsoAbout: [STATE_MARK, ...(own ? [own.projectName] : [])],
    whole: states.move,
    of(record) {
      const type = asString(record.type) ?? "";
      // Copies of whole requests, which say what was sent then.
      if (type.startsWith("api-request")) return undefined;
      const row = inRow(type === "assistant" ? "toolCalls" : "others");
      return type === "attachment" ? attachmentRule(record, row, of, movePath) : row;
    },
  };
}

type MovePath = (names: readonly string[], value: string) => string | undefined;

function createPathMover({ relocation, root, own }: RowMove): MovePath {
  return (names, value) => {
    const name = names.at(-1) ?? "";
    if (!isPathName(name) || CONTENTS.has(name) || /[\r\n]/.test(value)) return undefined;
    const beside = own && (relocate(value, own.session) ?? outputPlace(value, own));
    if (beside !== undefined) return beside;
    return isAtOrBelow(value, root) ? undefined : relocateAny(value, relocation);
  };
}

/** Where a tool's output lies now, by the end of its path: the home may have another path than it had then. */
function outputPlace(path: string, { id, session, outputs }: OwnFolders): string | undefined {
  const [folder, place, name] = path.split(/[\\/]/).slice(-3);
  const isOurs = folder === id && place === "tool-results" && outputs.has(name ?? "");
  return isOurs ? join(session.to, "tool-results", name ?? "") : undefined;
}

/** The model reads the rest of a long output by the path that the program named. */
function createOutputMover(own: OwnFolders): (text: string) => string {
  const saved = /(Full output saved to: )([^\n]+)/g;
  return (text) =>
    text.replace(saved, (line, said: string, path: string) => {
      const there = outputPlace(path.trimEnd(), own);
      return there === undefined ? line : said + there;
    });
}

/** What the model receives of an attachment is made of the paths that stand beside it, so it follows them. */
function attachmentRule(record: JsonObject, row: MoveString, of: RowMove, movePath: MovePath): MoveString {
  const attachment = asObject(record.attachment) ?? {};
  if (attachment.type === "prompt_snapshot") return promptRule(row, of);
  const moved = movedPaths(attachment, movePath, of);
  const as = SENT_ALONG.has(attachment.type) ? "attachments" : "others";
  const rendered = createSpellings(moved);
  return (names, value) => {
    if (names[0] === "attachment") {
      const text = moved.get(value);
      return text === undefined ? "words" : { text, as };
    }
    if (names[0] !== "rendered" && names[0] !== "renderedInHumanTurn") return row(names, value);
    const { text, count } = rendered(value);
    return count === 0 ? row(names, value) : { text, as, count, isWords: true };
  };
}

function movedPaths(attachment: JsonObject, movePath: MovePath, { place }: RowMove): Map<string, string> {
  const moved = new Map<string, string>();
  const visit = (names: readonly string[], value: unknown): void => {
    if (typeof value === "string") {
      if (moved.has(value)) return;
      const isFormer = attachment.type === "environment" && names.at(-1) === "from";
      const text = isFormer ? relocate(value, place) : movePath(names, value);
      if (text !== undefined) moved.set(value, text);
    } else if (Array.isArray(value)) for (const each of value) visit(names, each);
    else if (isObject(value)) for (const [name, each] of Object.entries(value)) visit([...names, name], each);
  };
  visit(["attachment"], attachment);
  return moved;
}

/** Finds paths where a text spells them whole, as they are or as JSON. */
function createSpellings(
  moved: ReadonlyMap<string, string>,
): (text: string) => { text: string; count: number } {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const spelled = new Map(
    [...moved].flatMap(([from, to]) => [[inJson(from), inJson(to)] as const, [from, to]]),
  );
  if (spelled.size === 0) return (text) => ({ text, count: 0 });
  const all = [...spelled.keys()].sort((a, b) => b.length - a.length).map(toPatternSource);
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}_.~/\\-])(?:${all.join("|")})(?![\p{L}\p{N}_/\\-]|\.[\p{L}\p{N}_])`,
    "gu",
  );
  return (text) => {
    let count = 0;
    const changed = text.replace(pattern, (found) => {
      count++;
      return spelled.get(found) ?? found;
    });
    return { text: changed, count };
  };
}

/**
 * The program sends its system prompt again, word for word as it was recorded. It names the folder, and the folder of notes
 * that belongs to it, which the model would go on to write into.
 */
function promptRule(row: MoveString, { place, root, own }: RowMove): MoveString {
  const findMentions = createMentionFinder(place);
  const notes =
    own &&
    new RegExp(
      String.raw`\`[^\`\n]*[\\/]projects[\\/]${toPatternSource(own.projectName)}([\\/][^\`\n]*)?\``,
      "g",
    );
  return (names, value) => {
    if (names[0] !== "attachment") return row(names, value);
    let count = 0;
    const renamed = notes
      ? value.replace(notes, (_, below: string | undefined) => {
          count++;
          return `\`${own?.project.to}${(below ?? "").replaceAll("\\", "/")}\``;
        })
      : value;
    const mentions = findMentions(renamed).filter(({ start }) => !renamed.startsWith(root, start));
    count += mentions.length;
    return count === 0 ? "kept" : { text: substitute(renamed, mentions), as: "others", count };
  };
}
