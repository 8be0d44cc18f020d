/** `--open`: shows a page in a browser, or says where it is. */
import type { Config } from "../app/config.ts";
import type { Zod } from "../operations/operation.ts";
import type { Output } from "./output.ts";

export const OPEN_ARG = {
  open: { kind: "flag", help: "open the page in a browser" },
} as const;

export async function openPage(
  path: string,
  { json }: { readonly json: boolean },
  config: Config,
  out: Output,
): Promise<number> {
  const { openInBrowser } = await import("../app/opening.ts");
  const isOpened = await openInBrowser(config, path);
  if (json) out.json({ path, opened: isOpened });
  else {
    if (!isOpened) out.note("No browser can be opened here; this is the page:");
    out.line(path);
  }
  return 0;
}

export const openedShape = (z: Zod) =>
  z.object({
    path: z.string().describe("the page that was written"),
    opened: z.boolean().describe("whether a browser was started"),
  });
