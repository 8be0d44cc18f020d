/** A real PostgreSQL server for a load, which can be killed and comes back at the same place. */
import { join } from "node:path";
import pg from "pg";
import type { HubPlace } from "../../src/hub/database/connect.ts";
import { migrateHub } from "../../src/hub/database/migrate.ts";
import { type PostgresServer, startPostgres } from "../../src/platform/process/postgres-server.ts";
import { adminOf, copyPrepared, PASSWORD, reachableFolder, SECRET, TEMPLATE } from "../hub/prepared.ts";

export interface LoadCluster {
  readonly place: HubPlace;
  /** The folder of its files, which the caller removes. */
  readonly folder: string;
  server(): PostgresServer;
  /** A connection of the superuser; for one that outlives a kill, ask again. */
  admin(database?: string): Promise<pg.Client>;
  /** A second hub on the same server, without anybody in it. */
  addHub(database: string): Promise<HubPlace>;
  /** As a power cut would, and starts it again. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

const DATABASE = "hub";

export interface ClusterOptions {
  readonly settings: Readonly<Record<string, string>>;
  /** What an earlier run left. */
  readonly kept?: string | undefined;
  /** Copies of the tests' server, whose template has a hub, in the place of a new one. */
  readonly isPrepared?: boolean;
}

export async function startCluster(options: ClusterOptions): Promise<LoadCluster> {
  const { settings, kept, isPrepared = false } = options;
  const folder = kept ?? reachableFolder("load-");
  const run = (): Promise<PostgresServer> =>
    startPostgres({
      ...{ folder: join(folder, "postgres"), sockets: join(folder, "s"), password: PASSWORD, settings },
      ...(isPrepared && { fill: copyPrepared }),
    });
  let server = await run();
  const admin = async (database = DATABASE): Promise<pg.Client> => {
    const client = new pg.Client(adminOf(server, database));
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  const openHub = async (database: string): Promise<HubPlace> => {
    await migrateHub(adminOf(server, database), { secret: SECRET });
    return { host: server.host, port: server.port, database, secret: SECRET };
  };
  const addHub = async (database: string): Promise<HubPlace> => {
    const maker = await admin("postgres");
    await maker.query(`CREATE DATABASE ${database}${isPrepared ? ` TEMPLATE ${TEMPLATE}` : ""}`);
    await maker.end();
    return openHub(database);
  };
  return {
    place: await (kept === undefined ? addHub(DATABASE) : openHub(DATABASE)),
    folder,
    server: () => server,
    admin,
    addHub,
    async killAndRestart() {
      await server.kill();
      // A process that was being started when the others were killed lives for a moment longer, and keeps their memory.
      for (let tries = 1; ; tries++)
        try {
          server = await run();
          return;
        } catch (error) {
          if (tries === 50) throw error;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
    },
    stop: () => server.stop(),
  };
}
