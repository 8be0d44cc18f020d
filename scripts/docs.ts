/** Writes the pages that are made from the program; with --check it only says whether they are up to date. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { VERSION } from "../src/app/version.ts";
import { loadCommands } from "../src/cli/commands.ts";
import { TOOLS } from "../src/mcp/tools.ts";
import { loadApi } from "../src/server/endpoints.ts";
import { hubEndpoints } from "../src/server/hub/endpoints.ts";
import { hubOpenApi } from "../src/server/hub/openapi.ts";
import { openApi } from "../src/server/openapi.ts";
import { apiReference } from "./api-reference.ts";
import { emptySchema } from "./empty-schema.ts";
import { mcpReference } from "./mcp-reference.ts";
import { commandReference } from "./reference.ts";
import { sqlReference } from "./sql-reference.ts";

const { endpoints } = await loadApi(z);

const PAGES: Readonly<Record<string, string>> = {
  "docs/api.md": apiReference(endpoints),
  "docs/openapi.json": `${JSON.stringify(openApi(z, endpoints, VERSION), null, 1)}\n`,
  "docs/hub-openapi.json": `${JSON.stringify(hubOpenApi(z, hubEndpoints(z)), null, 1)}\n`,
  "docs/cli.md": commandReference(await loadCommands()),
  "docs/mcp.md": mcpReference(TOOLS),
  "docs/sql.md": sqlReference(emptySchema()),
};

for (const [page, wanted] of Object.entries(PAGES)) {
  const path = join(import.meta.dirname, "..", page);
  const current = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (!process.argv.includes("--check")) {
    writeFileSync(path, wanted);
    console.log(`${page} written`);
  } else if (current !== wanted) {
    console.error(`${page} is out of date. Write it again: npm run docs`);
    process.exitCode = 1;
  }
}
