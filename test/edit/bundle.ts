/** A bundle of the session that writes are tried on, made as `rethread export` makes one. */
import { join } from "node:path";
import { exportBundle } from "../../src/app/export/bundle.ts";
import { readHead } from "../../src/query/heads.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { hashTail } from "./guard.ts";
import { type EditHome, ID } from "./home.ts";
import { NOW } from "./source-homes.ts";

export async function bundleOf({ catalog, copilot, data }: EditHome): Promise<string> {
  const { artifact } = await resolveSession(catalog, ID);
  const guard = hashTail(catalog, data);
  const folder = join(copilot, "..");
  const request = { out: "one.tar.gz", folder, force: true, guard, now: NOW, madeBy: "test" };
  return (await exportBundle(catalog, [await readHead(catalog, artifact)], request)).path;
}
