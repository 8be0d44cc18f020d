/** Reads a transcript: the log and files that the program's own import would create, but with the original times. */
import { basename, dirname, isAbsolute, join } from "node:path";
import { AppError } from "../../../../model/errors.ts";
import { segmentsOf } from "../../../../model/values/paths.ts";
import { toMs } from "../../../../model/values/time.ts";
import { entryAt } from "../../../../platform/fs/fs-links.ts";
import { eachLine } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { InterchangeRequest, ReceivedSession } from "../../../interchange.ts";
import { CHECKPOINT_FOLDER, CHECKPOINT_INDEX, CHECKPOINT_TABLE_HEAD } from "../../workspace/checkpoints.ts";
import { LOG } from "../../workspace/locate.ts";
import { WORKSPACE_FILE } from "../../workspace/workspace.ts";
import { changeFields } from "../copy/workspace-text.ts";
import { type Attached, tellRecords } from "./events.ts";
import {
  type Complain,
  type InterchangeHeader,
  type InterchangeRecord,
  parseLine,
  toHeader,
  toRecord,
} from "./records.ts";
import { toTitle } from "./write.ts";

export async function readInterchange(
  fs: SessionFs,
  path: string,
  request: InterchangeRequest,
): Promise<ReceivedSession> {
  const complaints: string[] = [];
  const complain: Complain = (line, sentence) => void complaints.push(`line ${line}: ${sentence}`);
  const { header, records } = await parse(fs, path, complain);
  checkOrder(records, complain);
  const name = request.name ?? header?.title;
  if (name !== undefined && name !== toTitle(name))
    complain(1, "The title is longer than 100 characters, or has quotes, line breaks or spaces around it.");
  const attached = await attach(fs, path, records, complain);
  if (!header || complaints.length > 0) throw invalid(path, complaints);
  const cwd = header.workingDirectory ?? request.workspace;
  const last = records.at(-1)?.timestamp ?? header.createdAt;
  return {
    log: { path: LOG, lines: tellRecords(header, records, attached, { id: request.id, cwd }) },
    texts: [
      { path: WORKSPACE_FILE, text: toWorkspace(header, request, { cwd, name, last }) },
      { path: `${CHECKPOINT_FOLDER}/${CHECKPOINT_INDEX}`, text: CHECKPOINT_TABLE_HEAD },
    ],
    mtimeMs: toMs(last) ?? request.now.getTime(),
  };
}

async function parse(
  fs: SessionFs,
  path: string,
  complain: Complain,
): Promise<{ header: InterchangeHeader | undefined; records: InterchangeRecord[] }> {
  let header: InterchangeHeader | undefined;
  const records: InterchangeRecord[] = [];
  await eachLine(
    fs,
    path,
    (line) => {
      const raw = parseLine(line, complain);
      if (!raw) return;
      if (!header) {
        header = toHeader(raw, line.number, complain);
        return;
      }
      const record = toRecord(raw, line.number, complain);
      if (record) records.push(record);
    },
    { maxLine: Number.POSITIVE_INFINITY },
  );
  return { header, records };
}

const toWorkspace = (
  { repository, branch, createdAt }: InterchangeHeader,
  { id }: InterchangeRequest,
  { cwd, name, last }: { cwd: string; name: string | undefined; last: string },
): string =>
  changeFields("", {
    id,
    cwd,
    repository: repository?.name,
    host_type: repository?.hostType,
    branch,
    client_name: "github/cli",
    name,
    user_named: name !== undefined,
    summary_count: 0,
    fork_count: 0,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(last).toISOString(),
  });

const MOST_ATTACHMENTS = 100;
const LARGEST_ATTACHMENT = 10 << 20;
const LARGEST_TOGETHER = 24 << 20;

/** Files beside the transcript go into the log; nothing from elsewhere does. */
async function attach(
  fs: SessionFs,
  transcript: string,
  records: readonly InterchangeRecord[],
  complain: Complain,
): Promise<Attached> {
  const attached = new Map<string, object[]>();
  let [count, together] = [0, 0];
  for (const record of records) {
    if (record.type !== "message") continue;
    for (const { path, mediaType, name } of record.attachments) {
      const refuse = (sentence: string): void => complain(record.line, sentence);
      const file = join(dirname(transcript), path);
      const size =
        isAbsolute(path) || segmentsOf(path).includes("..")
          ? -1
          : await sizeBelow(fs, dirname(transcript), path);
      if (++count > MOST_ATTACHMENTS)
        refuse(`Session imports support at most ${MOST_ATTACHMENTS} attachments.`);
      else if (record.role !== "user") refuse("Assistant message attachments are not supported.");
      else if (size < 0) refuse("Attachment path must lead to a file beside the transcript, without links.");
      else if (size > LARGEST_ATTACHMENT) refuse("Attachment exceeds the 10 MB inline attachment limit.");
      else if (together + size > LARGEST_TOGETHER)
        refuse("Combined attachment data exceeds the 24 MB limit.");
      else {
        together += size;
        const data = Buffer.from(await fs.read(file)).toString("base64");
        const blob = { type: "blob", mimeType: mediaType, displayName: name ?? basename(path), data };
        attached.set(record.id, [...(attached.get(record.id) ?? []), blob]);
      }
    }
  }
  return attached;
}

/** Negative where there is no such file, or a link on the way to it. */
async function sizeBelow(fs: SessionFs, folder: string, path: string): Promise<number> {
  let at = folder;
  for (const segment of segmentsOf(path)) {
    at = join(at, segment);
    const entry = await entryAt(fs, at);
    if (entry?.kind === "file") return entry.size;
    if (entry?.kind !== "folder") return -1;
  }
  return -1;
}

const SHOWN = 3;

const invalid = (path: string, complaints: readonly string[]): AppError =>
  new AppError(
    "transcript-invalid",
    complaints.length === 0
      ? `${path} has no records`
      : `${path} is refused: ${complaints.slice(0, SHOWN).join("; ")}${complaints.length > SHOWN ? `; and ${complaints.length - SHOWN} more` : ""}`,
    "Fix the file, or get one that `copilot sessions import --dry-run` accepts",
  );

function checkOrder(records: readonly InterchangeRecord[], complain: Complain): void {
  const lines = new Map<string, number>();
  const calls = new Map<string, { readonly turnId: string | undefined; readonly segment: number }>();
  const answered = new Set<string>();
  let segment = 0;
  let answer: { readonly turnId: string | undefined } | undefined;
  for (const record of records) {
    const { line, id, turnId } = record;
    const before = lines.get(id);
    if (before !== undefined) {
      complain(line, `Record id duplicates line ${before}.`);
      continue;
    }
    lines.set(id, line);
    if (record.type === "message") {
      segment++;
      answer = record.role === "assistant" ? { turnId } : undefined;
    } else if (record.type === "tool-call") {
      if (!answer || (turnId !== undefined && turnId !== answer.turnId))
        complain(line, "Tool calls require a preceding assistant message in the same turn.");
      calls.set(id, { turnId, segment });
    } else {
      const call = calls.get(record.toolCallId);
      if (!call) complain(line, `Tool result references unknown or later tool call '${record.toolCallId}'.`);
      else if (answered.has(record.toolCallId))
        complain(line, `Tool call '${record.toolCallId}' already has a result.`);
      else if (call.segment !== segment)
        complain(line, "Tool results must appear before the next message record.");
      else if (call.turnId !== turnId) complain(line, "Tool result turnId must match its tool call.");
      answered.add(record.toolCallId);
    }
  }
}
