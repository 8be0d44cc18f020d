/** Sessions as downloads: written to a file of our own first, so that a failure is an answer and not half a file. */
import { join } from "node:path";
import { AppError } from "../model/errors.ts";
import type { AnyOperation, Operation } from "../operations/operation.ts";
import { readInput } from "../operations/outside-input.ts";
import { TEXT_FORMATS, TRANSCRIPT_FORMATS } from "../operations/questions/export.ts";
import { removeFolder } from "../platform/disk/own-files.ts";
import { makeTemporaryFolder } from "../platform/disk/temporary.ts";
import { fileBody } from "../platform/http/bodies.ts";
import type { ApiRequest, Endpoint, Parameter, ServerParts } from "./endpoint.ts";
import { DOWNLOAD_POLICY } from "./headers.ts";

const FORMATS = [...TEXT_FORMATS, ...TRANSCRIPT_FORMATS, "bundle"] as const;
type Format = (typeof FORMATS)[number];

/** How the file's name ends, and what it is. */
const FILES: Readonly<Record<Format, readonly [ending: string, type: string]>> = {
  html: [".html", "text/html; charset=utf-8"],
  md: [".md", "text/markdown; charset=utf-8"],
  json: [".json", "application/json; charset=utf-8"],
  jsonl: [".jsonl", "application/jsonl; charset=utf-8"],
  copilot: [".jsonl", "application/jsonl; charset=utf-8"],
  vscode: [".json", "application/json; charset=utf-8"],
  bundle: [".tar.gz", "application/gzip"],
};

const inQuery = (name: string, schema: Parameter["schema"], isRequired = false): Parameter => ({
  name,
  in: "query",
  isRequired,
  schema,
});

const PARAMETERS: readonly Parameter[] = [
  inQuery(
    "format",
    (z) => z.enum(FORMATS).describe("`vscode` and `copilot` are what those programs import"),
    true,
  ),
  inQuery("redact", (z) =>
    z.boolean().describe("take out secrets, and write home folders as ~; not in bundles"),
  ),
  inQuery("full", (z) =>
    z.boolean().describe("whole tool calls and results in Markdown, and records of any size"),
  ),
  inQuery("budget", (z) =>
    z.int().min(1).describe("of `vscode` and `copilot`: leave out enough to fit so many tokens"),
  ),
  inQuery("dropThinking", (z) => z.boolean().describe("likewise: leave out the model's thinking")),
  inQuery("dropTools", (z) => z.boolean().describe("likewise: leave out all tool calls and their results")),
  inQuery("dropOldestTools", (z) =>
    z.number().min(0).max(100).describe("likewise: leave out so many percent of the oldest tool calls"),
  ),
  inQuery("truncateTools", (z) =>
    z.int().min(0).describe("likewise: cut tool calls and results that have more characters"),
  ),
  inQuery("dropOldest", (z) =>
    z.number().min(0).max(100).describe("likewise: leave out so many percent of the oldest turns"),
  ),
  inQuery("dropOldestTurns", (z) =>
    z.int().min(0).describe("likewise: leave out so many of the oldest turns"),
  ),
  inQuery("summarize", (z) =>
    z.boolean().describe("likewise: put a summary in the place of turns that are left out"),
  ),
];

export function downloadEndpoints(operations: ReadonlyMap<string, AnyOperation>): Endpoint[] {
  const answer = (sessions: (request: ApiRequest) => string[]) => (request: ApiRequest, parts: ServerParts) =>
    download(sessions(request), request, parts, operations);
  const common = { method: "GET", effect: "reads", media: "application/octet-stream" } as const;
  return [
    {
      ...common,
      path: "/api/sessions/{session}/export",
      summary: "Download a session as a page, as text, or in a form that another program imports",
      operation: "export",
      parameters: [
        { name: "session", in: "path", isRequired: true, schema: (z) => z.string().describe("source:id") },
        ...PARAMETERS,
      ],
      answer: answer(({ params }) => [params.session ?? ""]),
    },
    {
      ...common,
      path: "/api/export",
      summary: "Download several sessions as one file: a bundle, or JSON lines",
      operation: "export-bundle",
      parameters: [
        inQuery("sessions", (z) => z.array(z.string()).describe("source:id, with commas between them"), true),
        ...PARAMETERS,
      ],
      answer: answer(({ query }) =>
        query
          .getAll("sessions")
          .flatMap((each) => each.split(","))
          .filter(Boolean),
      ),
    },
  ];
}

async function download(
  sessions: readonly string[],
  { query, method, signal }: ApiRequest,
  parts: ServerParts,
  operations: ReadonlyMap<string, AnyOperation>,
): Promise<Response> {
  const format = FORMATS.find((each) => each === query.get("format"));
  if (format === undefined)
    throw new AppError("usage", "format is missing or unknown", `Name one of ${FORMATS.join(", ")}`);
  if (sessions.length !== 1 && !(sessions.length > 1 && (format === "bundle" || format === "jsonl")))
    throw new AppError(
      "usage",
      sessions.length === 0
        ? "No session is named"
        : "Several sessions do not fit into one file of that format",
      "Download one session, or several as a bundle or jsonl",
    );
  const folder = makeTemporaryFolder();
  try {
    const [ending, type] = FILES[format];
    const out = join(folder, `download${ending}`);
    const { name, input } = toInput(format, query, { sessions: [...sessions], out });
    const operation = operations.get(name) as Operation;
    const asked = readInput(operation.input(parts.z), operation, input);
    const answer = JSON.parse((await parts.workers.ask("questions", name, asked, { signal })).join(""));
    const { bytes, stream } = fileBody(out, () => removeFolder(folder));
    const headers = {
      "content-type": type,
      "content-length": String(bytes),
      "content-disposition": disposition(nameFor(answer, ending)),
      "content-security-policy": DOWNLOAD_POLICY,
    };
    if (method !== "HEAD") return new Response(stream, { headers });
    await stream.cancel();
    return new Response(null, { headers });
  } catch (error) {
    removeFolder(folder);
    throw error;
  }
}

function toInput(format: Format, query: URLSearchParams, file: { sessions: string[]; out: string }) {
  const has = (name: string): boolean => ["", "1", "true"].includes(query.get(name) ?? "0");
  const redact = has("redact") ? { redact: true } : {};
  if (format === "bundle") return { name: "export-bundle", input: file };
  if (format !== "vscode" && format !== "copilot")
    return { name: "export", input: { ...file, format, ...redact, ...(has("full") && { full: true }) } };
  const numberOf = (name: string): number | undefined => {
    const text = query.get(name);
    return text === null ? undefined : Number(text);
  };
  const budget = numberOf("budget");
  const percent = numberOf("dropOldest");
  const count = numberOf("dropOldestTurns");
  const oldest = numberOf("dropOldestTools");
  const truncate = numberOf("truncateTools");
  return {
    name: "export-transcript",
    input: {
      ...file,
      format,
      ...redact,
      ...(budget !== undefined && { budget }),
      ...(has("dropThinking") && { dropThinking: true }),
      ...(truncate !== undefined && { tools: { truncate } }),
      ...(oldest !== undefined && { tools: { oldest } }),
      ...(has("dropTools") && { tools: "drop" }),
      ...(percent !== undefined && { dropOldest: { percent } }),
      ...(count !== undefined && { dropOldest: { count } }),
      ...(has("summarize") && { summarize: true }),
    },
  };
}

/** Of the session's title, or how many they are. */
function nameFor(answer: unknown, ending: string): string {
  const { sessions = [] } = answer as { sessions?: readonly { title?: string | null; id: string }[] };
  const [first] = sessions;
  const title =
    sessions.length > 1 ? `${sessions.length} sessions` : (first?.title ?? first?.id ?? "session");
  const words = title.normalize("NFKC").replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  return `${
    Array.from(words)
      .slice(0, 60)
      .join("")
      .replaceAll(/^-+|-+$/g, "") || "session"
  }${ending}`;
}

/** Letters and digits only, in both spellings that a browser may look at. */
function disposition(name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", "%27")}`;
}
