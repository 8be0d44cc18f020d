import { expect, it } from "vitest";
import { createMemoryFs } from "../platform/fs/memory.ts";
import { openCatalog, startingWith } from "./catalog.ts";
import { SOURCES } from "./registry.ts";

it("looks once, not twice, for whoever looked first whether there is anything", async () => {
  let listed = 0;
  const memory = createMemoryFs({ "/c/session-state/one/events.jsonl": "{}\n" });
  const fs = {
    ...memory,
    readdir: (path: string) => {
      if (path.endsWith("session-state")) listed++;
      return memory.readdir(path);
    },
  };
  const env = { platform: "linux" as const, homeDir: "/h", vars: { COPILOT_HOME: "/c" } };
  const own = openCatalog(SOURCES, env, fs);
  const first = await own.scan();
  const catalog = startingWith(own, first);
  expect([await catalog.scan(), listed]).toEqual([first, 1]);
  expect([await catalog.scan(), listed]).toEqual([first, 2]);
});
