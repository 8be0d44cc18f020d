/** What deploy/ starts is what the command takes, and what its image copies is there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseValues } from "../../src/cli/args.ts";
import { HUB_ARGS } from "../../src/cli/commands/serve/hub.ts";

const root = join(import.meta.dirname, "../..");
const container = readFileSync(join(root, "deploy/Containerfile"), "utf8");
const unit = readFileSync(join(root, "deploy/rethread-hub.service"), "utf8");

const jsonOf = (instruction: string): string[] =>
  JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, "m").exec(container)?.[1] ?? "[]");

it.each([
  ["the container", [...jsonOf("ENTRYPOINT").slice(3), ...jsonOf("CMD")]],
  ["the service", /^ExecStart=\S+ hub (.*)$/m.exec(unit)?.[1]?.split(" ") ?? []],
])("%s serves with options that there are", (_, words) => {
  const args = parseValues("hub", HUB_ARGS, words);
  expect(args).toMatchObject({ action: "serve", port: 8787, noOpen: true, logFormat: "json" });
});

it("copies what is there, runs as nobody special, and looks after its health on the port it serves", () => {
  const copied = [...container.matchAll(/^COPY (?!--)(.*) \S+$/gm)].flatMap(([, paths = ""]) =>
    paths.split(" "),
  );
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(container).toMatch(/^USER node$/m);
  expect(container.lastIndexOf("USER node")).toBeLessThan(container.indexOf("ENTRYPOINT"));
  expect(container).toMatch(/HEALTHCHECK[\s\S]*:8787\/api\/health/);
  expect(unit).toMatch(/^User=rethread-hub$/m);
});
