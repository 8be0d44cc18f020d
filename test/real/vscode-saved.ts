/** Lets VS Code's own code save a session, again and again while it grows, as if somebody had talked. */
import { loadVsCode } from "./vscode-modules.ts";
import type { Json } from "./vscode-templates.ts";

/** At most so many saves, so that long sessions stay cheap. */
const MOST_SAVES = 8;

export async function saveAsVsCode(id: string, session: Json): Promise<Uint8Array> {
  const vscode = await loadVsCode();
  const log = vscode.createLog();
  const turns = session.requests as Json[];
  let bytes: Uint8Array = Buffer.alloc(0);
  const saves = Math.min(turns.length, MOST_SAVES);
  for (let save = 0; save <= saves; save++) {
    const { customTitle, ...untitled } = session;
    const requests = turns.slice(0, Math.ceil((turns.length * save) / saves));
    // A title is made while the first answer comes.
    const value = save === 0 ? { ...untitled, requests } : { ...session, requests };
    const model = vscode.createModel({ value: structuredClone(value) as { requests: Json[] } }, id, []);
    const { op, data } = log.write(model);
    bytes = op === "append" ? Buffer.concat([bytes, data.buffer]) : data.buffer;
    log.confirmWrite();
    model.dispose();
  }
  return bytes;
}
