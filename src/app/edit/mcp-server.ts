/** Plans how an agent's settings get this program as an MCP server, or lose it; all other bytes of the file stay. */
import { hash } from "node:crypto";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { atRealPlaces } from "../../edit/plan/real-places.ts";
import { AppError } from "../../model/errors.ts";
import type { EditPlan, Step } from "../../model/plan.ts";
import { memberOf } from "../../model/values/member.ts";
import { lookThrough, realPath } from "../../platform/fs/fs-links.ts";
import { isErrno, type SessionFs } from "../../platform/fs/session-fs.ts";
import { NotJson, readCommented, removeCommented, setCommented } from "../../platform/json/commented.ts";
import type { Catalog, PlacedMcpSettings } from "../../sources/catalog.ts";
import { noProgramHere } from "./refusals.ts";

export interface ServerOf {
  /** The source whose program is told. */
  readonly agent: string;
  /** Added, or taken away. */
  readonly isAdded: boolean;
  /** Added with the tools that change sessions. */
  readonly allowWrite?: boolean;
}

export interface ServerContext {
  readonly catalog: Catalog;
  readonly now: Date;
  /** Where relative paths start. */
  readonly folder: string;
  readonly self?: readonly string[];
  readonly isDemo?: boolean;
  readonly vars?: Readonly<Record<string, string>>;
}

export const SERVER_NAME = "rethread";

export async function planServer(request: ServerOf, context: ServerContext): Promise<EditPlan> {
  const { catalog, now } = context;
  const { fs } = catalog;
  const agent = agentNamed(catalog, request.agent);
  const entry = request.isAdded ? agent.settings.entry(commandOf(request, context)) : undefined;
  const there: string[] = [];
  for (const { root, path } of agent.files)
    if ((await fs.exists(root)) || (await fs.exists(path))) there.push(path);
  const [first] = there;
  if (first === undefined) throw notThere(agent);
  const steps: Step[] = [];
  const had: boolean[] = [];
  const basis: EditPlan["basis"][number][] = [];
  for (const path of there) {
    const found = await lookThrough(fs, path);
    const before = found ? await readSettings(fs, agent, path) : "";
    const after = change(before, agent, path, entry);
    if (after === before) continue;
    had.push(hasEntry(before, agent));
    const [mode, size] = [found && "mode" in found ? found.mode : 0o600, Buffer.byteLength(after)];
    const file = { kind: "file", path, mode, mtimeMs: now.getTime(), size } as const;
    const written = { ...file, pieces: [{ text: after }], sha256: hash("sha256", after) };
    if (found) basis.push({ entry: found });
    steps.push({ does: found ? "replace" : "place", path, entries: [written] });
  }
  const session = { source: agent.source, id: "", path: first };
  return {
    kind: "configure",
    title: agent.label,
    from: { source: agent.source, id: "" },
    session,
    closed: [],
    hideout: join(dirname(await realPath(fs, first)), ".rethread"),
    losses: [],
    server: {
      name: SERVER_NAME,
      effect: agent.settings.effect,
      ...(entry && { entry, isThere: had.length > 0 && had.every(Boolean) }),
    },
    ...(await atRealPlaces(fs, { basis, steps })),
  };
}

function agentNamed(catalog: Catalog, name: string): PlacedMcpSettings {
  const found = catalog.mcpSettings.find(({ source }) => source === name);
  if (found) return found;
  if (catalog.mcpSettings.length === 0) throw noProgramHere();
  const known = catalog.mcpSettings.map(({ source }) => source).join(", ");
  throw new AppError("usage", `"${name}" is no agent that takes MCP servers`, `Use one of: ${known}`);
}

/** An agent starts it in any folder and with hardly a variable: so all is absolute, and what leads to homes is said. */
function commandOf({ allowWrite }: ServerOf, context: ServerContext) {
  const { catalog, folder, self = [], isDemo = false, vars = {} } = context;
  const [command = process.execPath, script = ""] = self;
  const places = { ...vars, ...(!isDemo && catalog.placeVars) };
  return {
    command: resolve(folder, command),
    args: [
      resolve(folder, script),
      "mcp",
      ...(allowWrite ? ["--allow-write"] : []),
      ...(isDemo ? ["--demo"] : []),
    ],
    env: Object.fromEntries(
      Object.entries(places).map(([name, value]) => [
        name,
        isAbsolute(value) ? value : resolve(folder, value),
      ]),
    ),
  };
}

async function readSettings(fs: SessionFs, agent: PlacedMcpSettings, path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await fs.read(path));
  } catch (error) {
    if (isErrno(error, "EACCES", "EPERM") || !(error instanceof Error)) throw error;
    throw invalid(agent, path, "it is not a text file in UTF-8", error);
  }
}

function change(
  before: string,
  agent: PlacedMcpSettings,
  path: string,
  entry: Readonly<Record<string, unknown>> | undefined,
): string {
  const { section, isStrict } = agent.settings;
  // What is not there, or holds nothing, is an empty object.
  const text = before.trim() === "" ? "{}\n" : before;
  try {
    const { json } = readCommented(text, isStrict);
    const servers = isObject(json) ? (memberOf(json, section) ?? {}) : undefined;
    if (!isObject(servers))
      throw new NotJson(text, 0, isObject(json) ? `"${section}" is no object` : "it is no object");
    if (!entry) return before.trim() === "" ? before : removeCommented(text, [section, SERVER_NAME]);
    // What else a person has set for it stays.
    return isObject(servers[SERVER_NAME])
      ? Object.entries(entry).reduce(
          (set, [field, value]) => setCommented(set, [section, SERVER_NAME, field], value),
          text,
        )
      : setCommented(text, [section, SERVER_NAME], entry);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw invalid(agent, path, `line ${error.line}: ${error.message}`, error);
  }
}

/** Of settings that were read before, and are valid. */
function hasEntry(text: string, { settings: { section, isStrict } }: PlacedMcpSettings): boolean {
  if (text.trim() === "") return false;
  const { json } = readCommented(text, isStrict);
  const servers = isObject(json) ? memberOf(json, section) : undefined;
  return isObject(servers) && memberOf(servers, SERVER_NAME) !== undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const invalid = ({ label }: PlacedMcpSettings, path: string, why: string, cause: unknown): AppError =>
  new AppError(
    "agent-config-invalid",
    `The settings of ${label} in ${path} are not valid (${why}), so nothing was changed`,
    "Repair the file, then run the command again",
    cause,
  );

const notThere = ({ label, files }: PlacedMcpSettings): AppError =>
  new AppError(
    "nothing-found",
    `${label} has no folder on this machine${files[0] ? ` (looked for ${files[0].root})` : ""}`,
    "Start it once, then run the command again",
  );
