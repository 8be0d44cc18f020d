import { expect, it } from "vitest";
import { createMemoryFs } from "../platform/fs/memory.ts";
import { openCatalog } from "../sources/catalog.ts";
import copilotCli from "../sources/copilot-cli/index.ts";
import { findVendorStore } from "./vendor-store-follow.ts";

it("finds the store of the home that a session lies in, and not that of one whose name begins so", async () => {
  const fs = createMemoryFs({ "/dev/copilot/session-store.db": "", "/dev/copilot-2/session-store.db": "" });
  const vendorStores = ["/dev/copilot", "/dev/copilot-2"].flatMap((root) => {
    const env = { platform: process.platform, homeDir: "/dev", vars: { COPILOT_HOME: root } };
    return openCatalog([copilotCli], env, fs).vendorStores;
  });
  const session = { source: "copilot-cli", id: "one", path: "/dev/copilot-2/session-state/one" } as const;
  expect((await findVendorStore({ fs, vendorStores }, session))?.root).toBe("/dev/copilot-2");
});
