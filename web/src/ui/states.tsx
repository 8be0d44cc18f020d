/** What a view shows when there is nothing yet, or nothing at all. */
import { Inbox } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { ApiError } from "../lib/api.ts";
import css from "./states.module.css";

export function Empty({
  title,
  children,
  icon,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly icon?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={css.state}>
      <div className={css.icon}>{icon ?? <Inbox />}</div>
      <h2>{title}</h2>
      {children !== undefined && <div className={css.words}>{children}</div>}
      {action !== undefined && <div className={css.actions}>{action}</div>}
    </div>
  );
}

/** The sentence and the code of an error; `change/advice.ts` has its next step. */
export function describe(error: unknown): { message: string; code: string } {
  if (error instanceof ApiError) return { message: error.message, code: error.code };
  return { message: "The page met an error of its own", code: "internal" };
}

/** Nothing is shown as loading before this: most answers are there by then. */
export const PATIENCE_MS = 300;

export function useSlow(isWaiting: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting) {
      setSlow(false);
      return;
    }
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isWaiting && isSlow;
}

/** Grey bars where rows will be. */
export function Skeleton({ rows = 8, height = 44 }: { readonly rows?: number; readonly height?: number }) {
  const isShown = useSlow(true);
  return (
    <div className={css.skeleton} aria-busy="true">
      <span className="sr-only">Loading</span>
      {isShown &&
        Array.from({ length: rows }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
          <div key={at} style={{ height }}>
            <i style={{ width: `${35 + ((at * 37) % 45)}%` }} />
            <i style={{ width: `${20 + ((at * 23) % 30)}%` }} />
          </div>
        ))}
    </div>
  );
}
