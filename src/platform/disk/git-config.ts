/** Reads the settings of a git repository from the text of its `config`. Included files are not followed. */
import { memberOf } from "../../model/values/member.ts";

export interface GitSetting {
  /** In lower case, as its key. */
  readonly section: string;
  /** What stands in quotes behind the section, such as the name of a remote. */
  readonly name: string;
  readonly key: string;
  readonly value: string;
}

const HEADER = /^\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/;
const SETTING = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/s;

export function parseGitConfig(text: string): GitSetting[] {
  const settings: GitSetting[] = [];
  let [section, name] = ["", ""];
  // A backslash at the end of a line continues the value on the next one.
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    let rest = line.trim();
    const header = HEADER.exec(rest);
    if (header) {
      const [first = "", ...others] = (header[1] ?? "").split(".");
      section = first.toLowerCase();
      name = header[2]?.replace(/\\(.)/g, "$1") ?? others.join(".");
      rest = rest.slice(header[0].length).trim();
    }
    const [, key, value = ""] = SETTING.exec(rest) ?? [];
    if (key !== undefined) settings.push({ section, name, key: key.toLowerCase(), value: toValue(value) });
  }
  return settings;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** Without quotes and escapes, and without the comment behind it. */
function toValue(text: string): string {
  let value = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === "\\") {
      const next = text[++at] ?? "";
      value += memberOf(ESCAPES, next) ?? next;
    } else if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (letter === "#" || letter === ";")) break;
    else value += letter;
  }
  return value.trim();
}

/** The address of a remote; of several that it has, the first is fetched from. */
export const urlOfRemote = (settings: readonly GitSetting[], wanted: string): string | undefined =>
  settings.find(
    ({ section, name, key, value }) =>
      section === "remote" && key === "url" && name === wanted && value !== "",
  )?.value;

/** The address of `origin`, else of the remote that the branch tracks, else of the only one. */
export function chooseRemote(
  settings: readonly GitSetting[],
  branch: string | undefined,
): string | undefined {
  const remotes = new Map<string, string>();
  for (const { section, name, key, value } of settings)
    if (section === "remote" && key === "url" && value !== "" && !remotes.has(name)) remotes.set(name, value);
  const tracked = settings.findLast(
    ({ section, name, key }) => section === "branch" && key === "remote" && name === branch,
  )?.value;
  const only = remotes.size === 1 ? [...remotes.values()][0] : undefined;
  return remotes.get("origin") ?? remotes.get(tracked ?? "") ?? only;
}
