/** What is wrong with the texts of a board item: asked before one is written, and by a form while it is filled in. */
import { createRedactor } from "../redact/redact.ts";
import { BOARD_LIMITS, type BoardPlace, type BoardText } from "./item.ts";

export type BoardField = keyof BoardText | keyof BoardPlace;

export interface BoardFault {
  readonly field: BoardField;
  /** One sentence. A secret is named by its kind alone. */
  readonly message: string;
  /** The kinds of secrets that were found; missing where it is something else. */
  readonly secrets?: readonly string[];
}

type Draft = Partial<BoardText & BoardPlace>;

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*$/u;
/** Terminals and pages obey them; a text needs line feeds and tabs alone. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const CONTROL_IN_TEXT = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** The texts as they are kept: without space around them, one kind of line break, one spelling of each letter. */
export const toBoardText = (text: BoardText): BoardText => ({
  name: text.name.trim().normalize("NFC"),
  description: text.description.trim().normalize("NFC"),
  content: text.content.replace(/\r\n?/g, "\n").replace(/^\n+|\s+$/g, ""),
});

/** The first line of a content says what it is about, where nobody described it. */
export function describeContent(content: string): string {
  const line = content.split("\n").find((each) => /[\p{L}\p{N}]/u.test(each)) ?? "";
  const words = line
    .replace(/^[\s#>*+-]+/, "")
    .replace(/\s+/g, " ")
    .trim();
  return lengthOf(words) <= BOARD_LIMITS.description
    ? words
    : `${[...words]
        .slice(0, BOARD_LIMITS.description - 1)
        .join("")
        .trimEnd()}…`;
}

/** Characters, as people count them; a text that is far too long is not taken apart. */
export const lengthOf = (text: string): number =>
  text.length > 2 * BOARD_LIMITS.content ? text.length : [...text].length;

const FIELDS = ["repository", "branch", "name", "description", "content"] as const;

/** Of the texts that are given, in the order in which a form has them; of each the first thing that is wrong. */
export const findBoardFaults = (draft: Draft): BoardFault[] =>
  FIELDS.flatMap((field): BoardFault[] => {
    const text = draft[field];
    if (text === undefined) return [];
    const message = whyUnfit(field, text) ?? whyMisnamed(field, text);
    if (message !== undefined) return [{ field, message }];
    const secrets = secretsIn(field, text, draft.name);
    if (secrets.length === 0) return [];
    return [
      {
        field,
        message: `The ${field} contains a secret (${secrets.join(", ")}), and the board keeps none`,
        secrets,
      },
    ];
  });

function whyUnfit(field: BoardField, text: string): string | undefined {
  if (text.trim() === "") return field === "description" ? undefined : `The ${field} is empty`;
  const most = BOARD_LIMITS[field];
  const length = lengthOf(text);
  if (length > most)
    return `The ${field} has ${length.toLocaleString("en")} characters, and at most ${most.toLocaleString("en")} are kept`;
  if (!text.isWellFormed()) return `The ${field} is not valid text: half of a character is missing`;
  if ((field === "content" ? CONTROL_IN_TEXT : CONTROL).test(text))
    return field === "description" && /[\n\r\u2028]/.test(text)
      ? "The description has more than one line"
      : `The ${field} contains control characters`;
  return undefined;
}

const whyMisnamed = (field: BoardField, text: string): string | undefined =>
  field === "name" && !NAME.test(text)
    ? `"${text}" cannot be a name: it is made of letters, digits, dots, - and _, and begins with a letter or digit`
    : undefined;

/** A name such as `deploy-token` makes a secret of what would be a plain word elsewhere. */
function secretsIn(field: BoardField, text: string, name = ""): string[] {
  const redactor = createRedactor();
  redactor.value(field === "content" && NAME.test(name) ? { [name]: text } : [text]);
  return redactor.report().map(({ kind }) => kind);
}
