/** Sends a message once at a time, and remembers what failed so that it can be tried again. */
import { useRef, useState } from "react";

type Extra = { readonly ignoreLock?: true; readonly workspace?: string };
type Work = (extra: Extra) => Promise<void>;

export function useSending() {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const failed = useRef<Work>(undefined);
  /** Whether it was sent. */
  const run = async (work: Work, extra: Extra = {}): Promise<boolean> => {
    setBusy(true);
    setError(undefined);
    try {
      await work(extra);
      failed.current = undefined;
      return true;
    } catch (caught) {
      failed.current = work;
      setError(caught);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const again = (extra: Extra) => (): void => {
    if (failed.current) void run(failed.current, extra);
  };
  return {
    error,
    isBusy,
    run,
    retry: error === undefined ? undefined : again({}),
    retryWith: (extra: Extra) => (error === undefined ? undefined : again(extra)),
    clear: () => setError(undefined),
  };
}
