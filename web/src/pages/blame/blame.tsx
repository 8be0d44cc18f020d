/** Blame: a file with the sessions that wrote it beside its lines, or a choice of files. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Failure } from "../../change/failure.tsx";
import { api, keys } from "../../lib/api.ts";
import { blameRoute } from "../../router.tsx";
import { clean } from "../../text/clean.ts";
import { CopyButton } from "../../text/code.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states.tsx";
import css from "./blame.module.css";
import { BlamedFile } from "./blamed-file.tsx";
import { FilePicker } from "./file-picker.tsx";
import { summaryOf } from "./groups.ts";

export function Blame() {
  const { file, line } = blameRoute.useSearch();
  return file === undefined ? <FilePicker /> : <OneFile key={file} file={file} line={line} />;
}

function OneFile({ file, line }: { readonly file: string; readonly line: number | undefined }) {
  const { data, error, refetch } = useQuery({
    queryKey: keys.blame(file),
    queryFn: ({ signal }) => api.blame({ file, brief: true }, { signal }),
    // No event says that a file has changed on disk.
    staleTime: 0,
  });
  const name = clean(file);
  const at = Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\"));
  return (
    <div className={css.view}>
      <header className={css.header}>
        <div className={css.name}>
          <h1 title={name}>{name.slice(at + 1)}</h1>
          <p title={name}>
            <bdi>{name.slice(0, at)}</bdi>
          </p>
        </div>
        <p className={css.summary} role="status">
          {data && summaryOf(data)}
        </p>
        <CopyButton text={file} what="Path" />
        <Link to="/blame" className={buttonClass({ size: "small" })}>
          Other file
        </Link>
      </header>
      {typeof data?.gitTrouble === "string" && (
        <p className={css.trouble} role="note">
          {clean(data.gitTrouble)}.
        </p>
      )}
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data ? (
        <BlamedFile blame={data} name={file} inAddress={line} />
      ) : (
        <Skeleton rows={24} height={22} />
      )}
    </div>
  );
}
