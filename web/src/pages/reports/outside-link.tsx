/** A link to elsewhere, whose address shows on hover before anybody follows it; plain text where it is no safe address. */
import type { ReactNode } from "react";

export function OutsideLink({
  url,
  children,
}: {
  readonly url: string | null;
  readonly children: ReactNode;
}) {
  if (url === null || !/^https?:\/\//i.test(url)) return children;
  return (
    <a href={url} title={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
