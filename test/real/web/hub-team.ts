/** A hub with three people in two teams and sessions of the demo, served with its pages; and what hostile people push. */
import { join, resolve } from "node:path";
import { createDemo } from "../../../src/demo/create.ts";
import { deriveSession } from "../../../src/hub/derive/derive.ts";
import type { MachineName } from "../../../src/hub/protocol.ts";
import { localFs } from "../../../src/platform/fs/local.ts";
import { createMemoryFs } from "../../../src/platform/fs/memory.ts";
import type { Database } from "../../../src/platform/sqlite/sqlite.ts";
import { type Catalog, openCatalog } from "../../../src/sources/catalog.ts";
import { SOURCES } from "../../../src/sources/registry.ts";
import { builtWeb } from "../../built.ts";
import { newHub } from "../../hub/cluster.ts";
import { indexLocally, pushAll } from "../../hub/machine.ts";
import { type People, type Person, peopleOf } from "../../hub/people.ts";
import { listenTo } from "../../hub/served.ts";
import { writeHostileHome } from "./hostile-home.ts";
import { emptyPlace } from "./served.ts";

const root = resolve(import.meta.dirname, "../../..");

/** Beginnings of the titles of the demo, by whose session each is here. */
const SESSIONS = {
  robin: ["Review: stackable coupons", "Search for the handbook", "What does slots=True", "CI builds numpy"],
  ada: ["Flaky login test", "Cart total is one cent off", "Upgrade the build to Vite", "Tracking drains"],
  sam: ["Plan the PostgreSQL 18", "Bring the pipeline", "Certificate expires"],
} as const;
type Name = keyof typeof SESSIONS;

const MACHINES: Readonly<Record<Name, MachineName>> = {
  robin: { id: "00000001-0000-4000-8000-000000000001", name: "robin's laptop" },
  ada: { id: "00000002-0000-4000-8000-000000000002", name: "workstation" },
  sam: { id: "00000003-0000-4000-8000-000000000003", name: "sam-mini" },
};

export const HOSTILE_NAME = `<img src=x onerror="window.__owned=1">`;
export const HOSTILE_TEAM = `"><script>window.__owned=1</script>`;

export interface TeamHub {
  readonly origin: string;
  readonly people: People;
  /** What the server met and did not expect. */
  readonly defects: readonly unknown[];
  readonly robin: Person;
  readonly ada: Person;
  readonly sam: Person;
  /** Asks as somebody's program does; throws for an answer that is no success. */
  ask<T>(who: Person, path: string, body?: object, method?: string): Promise<T>;
  /** Somebody whose name and sessions are hostile, in a team with robin. */
  addHostile(): Promise<void>;
  /** Opens the pages once, signed in. */
  entrance(who: Person): string;
  /** Nobody answers until it is started again. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function newTeamHub(): Promise<TeamHub> {
  builtWeb();
  const hub = await newHub();
  const people = await peopleOf(hub);
  const robin = await people.add("robin", ["push", "read", "admin"]);
  const [ada, sam] = [await people.add("ada"), await people.add("sam")];
  await people.team("storefront", robin, ada);
  await people.team("platform", robin, sam);

  const push = async (
    who: Person,
    machine: MachineName,
    { catalog, store }: { readonly catalog: Catalog; readonly store: Database },
  ): Promise<void> => {
    await pushAll(hub.db, who, catalog, store, machine);
    const rows = await people.ask("SELECT id FROM hub.sessions WHERE account_id = $1", [who.account]);
    for (const { id } of rows) await deriveSession(hub.db, { account: who.account, session: String(id) });
  };
  const demo = await demoCatalog();
  const store = await indexLocally(demo);
  for (const [name, who] of Object.entries({ robin, ada, sam }) as [Name, Person][])
    await push(who, MACHINES[name], { catalog: await only(demo, store, SESSIONS[name]), store });
  store.close();

  const defects: unknown[] = [];
  const listen = (port = 0) =>
    listenTo(hub, { port, webFolder: join(root, "dist/web"), report: (error) => void defects.push(error) });
  let listening = await listen();
  const { port } = listening;
  const origin = `http://127.0.0.1:${port}`;
  const team: TeamHub = {
    origin,
    people,
    defects,
    robin,
    ada,
    sam,
    async ask(who, path, body, method = body ? "POST" : "GET") {
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${who.token}`,
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as never;
    },
    async addHostile() {
      const mallory = await people.add(HOSTILE_NAME);
      await people.team(HOSTILE_TEAM, mallory, robin);
      const place = emptyPlace();
      await writeHostileHome(place, join(place.data, "work"));
      const vars = { ...place.vars, VSCODE_STORAGE_PATH: join(place.data, "none") };
      const catalog = openCatalog(
        SOURCES,
        { platform: "linux", homeDir: place.vars.HOME ?? "", vars },
        localFs,
      );
      const { artifacts } = await catalog.scan();
      const some = artifacts.filter((_, at) => at % 3 === 0);
      const hostile = { catalog: pick(catalog, some), store: await indexLocally(catalog) };
      await push(mallory, { id: MACHINES.sam.id.replace("3-", "4-"), name: HOSTILE_NAME }, hostile);
      hostile.store.close();
      place.remove();
      const { sessions } = await team.ask<{ sessions: { hubSession: string }[] }>(mallory, "/api/sessions");
      for (const { hubSession: session } of sessions)
        await team.ask(mallory, "/api/hub/shares", { team: HOSTILE_TEAM, session });
    },
    entrance: (who) => listening.urlFor(who.token),
    stop: () => listening.close(0),
    async start() {
      listening = await listen(port);
    },
    async close() {
      await listening.close(0);
      await people.close();
      await hub.close();
    },
  };
  return team;
}

/** As of now, so that reports about the last days have something to tell. */
async function demoCatalog(): Promise<Catalog> {
  const fs = createMemoryFs();
  const { vars } = await createDemo({ fs, sources: SOURCES, home: "/data", now: new Date() });
  return openCatalog(SOURCES, { platform: "linux", homeDir: "/home/a", vars }, fs);
}

type Artifacts = Awaited<ReturnType<Catalog["scan"]>>["artifacts"];

const pick = (catalog: Catalog, artifacts: Artifacts): Catalog => ({
  ...catalog,
  scan: async (...how) => ({ ...(await catalog.scan(...how)), artifacts }),
});

/** The sessions whose titles begin so. */
async function only(catalog: Catalog, store: Database, titles: readonly string[]): Promise<Catalog> {
  const rows = store.prepare("SELECT source, vendor_id AS id, title FROM sessions").all();
  const wanted = new Set(
    rows.flatMap(({ source, id, title }) =>
      titles.some((start) => `${title}`.startsWith(start)) ? [`${source}:${id}`] : [],
    ),
  );
  const { artifacts } = await catalog.scan();
  return pick(
    catalog,
    artifacts.filter(({ source, id }) => wanted.has(`${source}:${id}`)),
  );
}
