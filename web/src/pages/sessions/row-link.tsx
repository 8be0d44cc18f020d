/** A link to a session that costs little, for lists that render many while one scrolls. */
import type { MouseEvent, ReactNode } from "react";
import { toKey } from "../../lib/session-key.ts";
import { type Filters, router } from "../../router.tsx";

export function RowLink({
  session,
  filters,
  isCurrent = false,
  isReachable = true,
  className,
  title,
  children,
}: {
  readonly session: { readonly source: string; readonly id: string };
  /** They stay in the address. */
  readonly filters: Filters;
  readonly isCurrent?: boolean;
  /** By the Tab key; the rows of a grid are reached by its arrows. */
  readonly isReachable?: boolean;
  readonly className: string | undefined;
  readonly title?: string;
  readonly children: ReactNode;
}) {
  const address = `/s/${encodeURIComponent(toKey(session))}${toSearch(filters)}`;
  const onClick = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to: "/s/$key", params: { key: toKey(session) }, search: filters });
  };
  return (
    <a
      className={className}
      href={address}
      onClick={onClick}
      title={title}
      tabIndex={isReachable ? undefined : -1}
      aria-current={isCurrent ? "page" : undefined}
    >
      {children}
    </a>
  );
}

function toSearch(filters: Filters): string {
  const written = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]));
  return written.size === 0 ? "" : `?${written}`;
}
