/** Listens on the port of last time where nobody names one: the machines that sync with a hub know its address. */
import { AppError } from "../../model/errors.ts";
import { createNewFile } from "../../platform/disk/new-file.ts";
import { readIfThere } from "../../platform/disk/own-files.ts";

export async function onUsualPort<T extends { readonly port: number }>(
  file: string,
  listen: (port: number) => Promise<T>,
): Promise<T> {
  const usual = readIfThere(file)?.toString("utf8").trim() ?? "";
  const listening = /^[1-9]\d{0,4}$/.test(usual)
    ? await listen(Number(usual)).catch(orFree(listen))
    : await listen(0);
  if (String(listening.port) !== usual) {
    const kept = createNewFile(file, { replace: true, mode: 0o600 });
    kept.write(`${listening.port}\n`);
    kept.finish();
  }
  return listening;
}

const orFree =
  <T>(listen: (port: number) => Promise<T>) =>
  (error: unknown): Promise<T> => {
    if (error instanceof AppError && error.code === "port-taken") return listen(0);
    throw error;
  };
