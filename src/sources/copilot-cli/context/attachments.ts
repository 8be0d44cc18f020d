/** Renders the attachments of a prompt as Copilot CLI sends them. */
import { printed } from "../../../model/text/printed.ts";
import { isErrno, type SessionFs } from "../../../platform/fs/session-fs.ts";
import { asNumber, asObject, asString, type JsonObject } from "../../log/jsonl.ts";

/** Each kind's block, in the order the program writes them; `file`, `directory` and `blob` are told apart below. */
const BLOCKS: readonly { type: string; tag: string; line(value: JsonObject): string }[] = [
  {
    type: "github_reference",
    tag: "github_references",
    line: (it) =>
      `#${asNumber(it.number)} - ${printed(it.title)} [${printed(it.referenceType)}] [${printed(it.state)}] (${printed(it.url)})`,
  },
  {
    type: "github_commit",
    tag: "github_commits",
    line: (it) => `${repo(it.repo)} - ${printed(it.oid)} - ${printed(it.message)} (${printed(it.url)})`,
  },
  {
    type: "github_release",
    tag: "github_releases",
    line: (it) => `${repo(it.repo)} - ${printed(it.name)} (${printed(it.tagName)}) (${printed(it.url)})`,
  },
  {
    type: "github_actions_job",
    tag: "github_actions_jobs",
    line: (it) =>
      `${repo(it.repo)} - ${printed(it.jobName)} [${printed(it.workflowName)}]${it.conclusion === undefined ? "" : ` [${printed(it.conclusion)}]`} (${printed(it.url)})`,
  },
  {
    type: "github_repository",
    tag: "github_repositories",
    line: (it) =>
      `${repo(it.repo)}${it.description === undefined ? "" : ` - ${printed(it.description)}`} (${printed(it.url)})`,
  },
  {
    type: "github_file_diff",
    tag: "github_file_diffs",
    line: (it) => `${place(it.base)} -> ${place(it.head)} (${printed(it.url)})`,
  },
  {
    type: "github_tree_comparison",
    tag: "github_tree_comparisons",
    line: (it) => `${revision(it.base)}...${revision(it.head)} (${printed(it.url)})`,
  },
  { type: "github_url", tag: "github_urls", line: (it) => `${printed(it.url)}` },
  { type: "github_file", tag: "github_files", line: (it) => `${place(it)} (${printed(it.url)})` },
  {
    type: "github_snippet",
    tag: "github_snippets",
    line: (it) =>
      `${place(it)}#L${printed(asObject(it.lineRange)?.start)}-L${printed(asObject(it.lineRange)?.end)} (${printed(it.url)})`,
  },
];

const KNOWN = new Set([
  "file",
  "directory",
  "selection",
  "blob",
  "extension_context",
  ...BLOCKS.map((block) => block.type),
]);
const IMAGE_NAME = /\.(png|jpe?g|gif|webp)$/i;

export const isRenderable = (attachment: JsonObject): boolean => KNOWN.has(asString(attachment.type) ?? "");

export async function renderAttachments(fs: SessionFs, attachments: readonly JsonObject[]): Promise<string> {
  const blocks = [
    await taggedFiles(fs, attachments),
    ...BLOCKS.map(({ type, tag, line }) =>
      block(tag, attachments.filter((it) => it.type === type).map(line)),
    ),
    ...attachments.filter((it) => it.type === "extension_context").map(extensionContext),
  ].filter((text) => text !== "");
  const text = blocks.length === 0 ? "" : `\n\n\n\n${blocks.join("\n\n")}`;
  return text + attachments.map(contentPart).join("");
}

const block = (tag: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `<${tag}>\n${lines.join("\n")}\n</${tag}>`;

/** Lines frozen when the prompt was sent win; without any, the files are looked at as they are now. */
async function taggedFiles(fs: SessionFs, attachments: readonly JsonObject[]): Promise<string> {
  const frozen = attachments.flatMap((it) => asString(it.taggedFilesEntry) ?? []);
  if (frozen.length > 0) return block("tagged_files", frozen);
  const lines: string[] = [];
  for (const it of attachments) {
    const path = asString(it.path) ?? "";
    if (it.type === "directory" || (it.type === "file" && !IMAGE_NAME.test(path)))
      lines.push(`* ${path} (${await describe(fs, path, asObject(it.lineRange))})`);
  }
  return block("tagged_files", lines);
}

async function describe(fs: SessionFs, path: string, range: JsonObject | undefined): Promise<string> {
  try {
    const { kind } = await fs.stat(path);
    if (kind === "folder") return `${(await fs.readdir(path)).length} items`;
    const count = await countLines(fs, path);
    return range ? `lines ${printed(range.start)}-${printed(range.end)} of ${count} lines` : `${count} lines`;
  } catch (error) {
    // In the words of Node, whatever file system we read through.
    if (isErrno(error, "ENOENT")) return `error: Error: ENOENT: no such file or directory, stat '${path}'`;
    return `error: ${error}`;
  }
}

/** Of a file of any size: what was attached once may be anything by now. */
async function countLines(fs: SessionFs, path: string): Promise<number> {
  let [bytes, breaks] = [0, 0];
  for await (const chunk of fs.chunks(path)) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(FEED); at >= 0; at = chunk.indexOf(FEED, at + 1)) breaks++;
  }
  return bytes === 0 ? 0 : breaks + 1;
}

const FEED = 10;

/** What goes along as a part of its own. Pictures stay pictures; here they are named. */
function contentPart(it: JsonObject): string {
  const mimeType = asString(it.mimeType) ?? "";
  if (it.type === "file" && it.assetId !== undefined && mimeType.startsWith("image/"))
    return `Image file at path ${printed(it.path)}[image]`;
  if (it.type !== "blob") return "";
  if (mimeType.startsWith("image/")) return `${asString(it.displayName) ?? ""}[image]`;
  const name = asString(it.displayName) ?? "Attached text";
  const text = Buffer.from(asString(it.data) ?? "", "base64").toString("utf8");
  return `<attachment mimeType="${mimeType}" name="${name}">\n${text}\n</attachment>`;
}

function extensionContext(it: JsonObject): string {
  const payload = escapeXml(JSON.stringify(it.payload ?? null));
  return `<extension_context extensionId="${printed(it.extensionId)}" title="${printed(it.title)}" capturedAt="${printed(it.capturedAt)}"><payload>${payload}</payload></extension_context>`;
}

const escapeXml = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

const repo = (value: unknown): string =>
  `${printed(asObject(value)?.owner)}/${printed(asObject(value)?.name)}`;
const place = (value: unknown): string => {
  const it = asObject(value);
  return `${repo(it?.repo)}:${printed(it?.path)}@${printed(it?.ref)}`;
};
const revision = (value: unknown): string =>
  `${repo(asObject(value)?.repo)}:${printed(asObject(value)?.revision)}`;
