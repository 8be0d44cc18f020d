/** Small marks: a session's source, a label, a dot for what is live. */
import type { CSSProperties, ReactNode } from "react";
import { sourceOf } from "../lib/sources.ts";
import css from "./marks.module.css";

export function SourceMark({ source }: { readonly source: string }) {
  const { label, mark, colour, corners } = sourceOf(source);
  const look = { "--colour": colour, "--corners": corners } as CSSProperties;
  return (
    <span
      className={css.source}
      style={look}
      data-source={source}
      title={label}
      role="img"
      aria-label={label}
    >
      {mark}
    </span>
  );
}

export function LiveDot({ label = "in progress" }: { readonly label?: string }) {
  return <span className={css.live} role="img" aria-label={label} title={label} />;
}

/** A small label: a count, a state. */
export function Badge({
  tone = "plain",
  children,
}: {
  readonly tone?: "plain" | "accent" | "ok" | "bad" | "warn";
  readonly children: ReactNode;
}) {
  return (
    <span className={css.badge} data-tone={tone}>
      {children}
    </span>
  );
}
