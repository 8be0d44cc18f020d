/** What concerns every view: the demo, an index that is being made, a server that is gone, pages that are new. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { api, keys } from "../lib/api.ts";
import { useStore } from "../lib/store.ts";
import { connection, indexProgress, progressText } from "../live/live.ts";
import { isOutdated } from "../live/version.ts";
import { Button } from "../ui/button.tsx";
import css from "./shell.module.css";

/** A server that restarts is back sooner than this. */
const LOST_AFTER_MS = 1500;

export function Banners() {
  const { data: index } = useQuery({ queryKey: keys.index, queryFn: ({ signal }) => api.index({ signal }) });
  const progress = useStore(indexProgress);
  return (
    <Notices
      lost={
        <>
          The server is not running. What is shown stays, and this page reconnects by itself; start it with{" "}
          <code>rethread serve</code>.
        </>
      }
    >
      {index?.demo && (
        <div className={css.banner} role="note">
          These are sample sessions:{" "}
          {index.demo === "asked" ? "this is the demo" : "no agent keeps sessions on this machine"}. Try
          everything on them: nothing else on this machine is changed.
        </div>
      )}
      {index?.trouble && (
        <div className={css.banner} data-tone="bad" role="alert">
          {index.trouble}. What is shown may be incomplete.
        </div>
      )}
      {progress && (
        <div className={css.banner} role="status">
          Reading sessions: {progressText(progress)}
          <progress value={progress.done} max={progress.total} aria-label="Index" />
        </div>
      )}
    </Notices>
  );
}

/** What concerns every view, whoever serves it. */
export function Notices({
  lost,
  children,
}: {
  /** Said while the server does not answer. */
  readonly lost: ReactNode;
  readonly children?: ReactNode;
}) {
  const isLost = useLost();
  const isNew = useStore(isOutdated);
  return (
    <section aria-label="Notices">
      {isLost && (
        <div className={css.banner} data-tone="bad" role="alert">
          {lost}
        </div>
      )}
      {isNew && (
        <div className={css.banner} role="status">
          A new version is served
          <Button size="small" onClick={() => location.reload()}>
            Reload
          </Button>
        </div>
      )}
      {children}
    </section>
  );
}

function useLost(): boolean {
  const state = useStore(connection);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    if (state !== "lost") {
      setLost(false);
      return;
    }
    const timer = setTimeout(() => setLost(true), LOST_AFTER_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return isLost;
}
