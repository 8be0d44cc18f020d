/** Whether the hub answers, and still knows who asks: noticed from every answer, since a hub sends no events. */
import { ApiError, api, queryClient } from "../lib/api.ts";
import { connection } from "../live/live.ts";
import { forgetAll } from "./account.ts";
import { hubKeys } from "./api.ts";

/** A hub that is gone is asked again so often. */
const AGAIN_MS = 3000;
/** What is shown may be so old when it is looked at again. */
const FRESH_MS = 30_000;

export function startPresence(): () => void {
  const before = queryClient.getDefaultOptions();
  queryClient.setDefaultOptions({
    ...before,
    queries: { ...before.queries, staleTime: FRESH_MS, refetchOnWindowFocus: true },
  });
  connection.set("open");
  let timer: ReturnType<typeof setInterval> | undefined;
  const found = (): void => {
    clearInterval(timer);
    timer = undefined;
    connection.set("open");
  };
  const lost = (): void => {
    connection.set("lost");
    timer ??= setInterval(async () => {
      if (await isThere()) {
        found();
        void queryClient.invalidateQueries();
      }
    }, AGAIN_MS);
  };
  const stop = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    if (event.action.type === "success" && !event.action.manual) found();
    if (event.action.type !== "error" || !(event.action.error instanceof ApiError)) return;
    const { status } = event.action.error;
    if (status === 0) lost();
    else if (status === 401 && queryClient.getQueryData(hubKeys.me)) forgetAll();
  });
  return () => {
    stop();
    clearInterval(timer);
    queryClient.setDefaultOptions(before);
  };
}

async function isThere(): Promise<boolean> {
  try {
    await api.health();
    return true;
  } catch {
    return false;
  }
}
