/** What leaves as files: pages, bundles, transcripts and documents of sessions. */
import { formatKey } from "../../model/values/id.ts";
import { type Call, toProgress } from "../call.ts";
import type { App } from "../contract.ts";
import type { Request } from "../request.ts";
import type { Asking } from "./asking.ts";
import { listIn } from "./list-in.ts";

type Names = "page" | "export" | "exportBundle" | "exportTranscript";

export function createExports({ ask, config, dataFolder }: Asking): Pick<App, Names> {
  const exporting = async (opened: Request, call: Call) => {
    const { createExporting } = await import("../export/choose.ts");
    const guard = await opened.openGuard();
    return createExporting({
      ...opened,
      config,
      guard,
      list: (where) => listIn(opened, where, call),
      async planCopy(name, wanted) {
        const { openCore } = await import("../edit/open-core.ts");
        return openCore(opened, config).planClone(name, wanted, toProgress(call));
      },
    });
  };
  return {
    page: (name, wanted, call = {}) =>
      ask(call, async (opened) => {
        const { writePage } = await import("../export/page.ts");
        const { artifact } = await opened.find(name);
        const names = [formatKey(artifact)];
        const all = { names, where: {}, force: false, whole: true };
        return writePage(dataFolder, artifact, async (write) => {
          await (await exporting(opened, call)).export({ ...wanted, ...all, write }, toProgress(call));
        });
      }),
    export: (wanted, call = {}) =>
      ask(call, async (opened) => (await exporting(opened, call)).export(wanted, toProgress(call))),
    exportBundle: (wanted, call = {}) =>
      ask(call, async (opened) => (await exporting(opened, call)).exportBundle(wanted, toProgress(call))),
    exportTranscript: (wanted, call = {}) =>
      ask(call, async (opened) => (await exporting(opened, call)).exportTranscript(wanted)),
  };
}
