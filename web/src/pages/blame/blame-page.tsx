/** A file with who wrote each of its lines, whoever is asked for that. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Failure } from "../../change/failure.tsx";
import { keys } from "../../lib/api.ts";
import { clean } from "../../text/clean.ts";
import { CopyButton } from "../../text/code.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states.tsx";
import css from "./blame.module.css";
import { BlamedFile } from "./blamed-file.tsx";
import type { AskWhy } from "./details.tsx";
import { type Blame, summaryOf } from "./groups.ts";

export function BlamePage({
  file,
  line,
  where,
  others = {},
  name,
  ask,
  askWhy,
  isMissing,
  missing,
}: {
  readonly file: string;
  readonly line: number | undefined;
  /** Below the file's name, instead of its folder. */
  readonly where?: string;
  /** The address of the other files. */
  readonly others?: { readonly repo?: string };
  /** What it is remembered by. */
  readonly name: string;
  readonly ask: (signal: AbortSignal) => Promise<Blame>;
  readonly askWhy?: AskWhy;
  /** Whether an error means that there is no such file, and what is shown then. */
  readonly isMissing?: (error: Error) => boolean;
  readonly missing?: ReactNode;
}) {
  const { data, error, refetch } = useQuery({
    queryKey: keys.blame(name),
    queryFn: ({ signal }) => ask(signal),
    // No event says that a file has changed on disk.
    staleTime: 0,
  });
  const path = clean(file);
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return (
    <div className={css.view}>
      <header className={css.header}>
        <div className={css.name}>
          <h1 title={path}>{path.slice(at + 1)}</h1>
          <p title={path}>
            <bdi>{where ?? path.slice(0, Math.max(0, at))}</bdi>
          </p>
        </div>
        <p className={css.summary} role="status">
          {data && summaryOf(data)}
        </p>
        <CopyButton text={file} what="Path" />
        <Link to="/blame" search={others} className={buttonClass({ size: "small" })}>
          Other file
        </Link>
      </header>
      {data?.gitTrouble && (
        <p className={css.trouble} role="note">
          {clean(data.gitTrouble)}.
        </p>
      )}
      {error ? (
        isMissing?.(error) ? (
          missing
        ) : (
          <Failure error={error} retry={() => void refetch()} />
        )
      ) : data ? (
        <BlamedFile blame={data} name={file} inAddress={line} {...(askWhy && { askWhy })} />
      ) : (
        <Skeleton rows={24} height={22} />
      )}
    </div>
  );
}
