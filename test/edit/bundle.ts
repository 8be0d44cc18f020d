/** A bundle of the session that writes are tried on, made as `rethread export` makes one. */
import { join } from "node:path";
import { exportBundle } from "../../src/app/bundle-export.ts";
import { readHead } from "../../src/query/heads.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { type EditHome, ID } from "./home.ts";
import { NOW } from "./source-homes.ts";

export async function bundleOf({ catalog, copilot }: EditHome): Promise<string> {
  const { artifact } = await resolveSession(catalog, ID);
  const request = { out: "one.tar.gz", folder: join(copilot, ".."), force: true, now: NOW, madeBy: "test" };
  return (await exportBundle(catalog, [await readHead(catalog, artifact)], request)).path;
}
