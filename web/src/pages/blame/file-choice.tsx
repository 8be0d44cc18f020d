/** Chooses a file among those that sessions changed: a field, and the files that match what is typed. */
import { Link, useNavigate } from "@tanstack/react-router";
import { FileSearch } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { useShortcuts } from "../../keys/keys.ts";
import { Page } from "../../ui/page.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { FilterField } from "../sessions/filter-field.tsx";
import css from "./file-picker.module.css";

export interface ChosenFile {
  /** The whole path, which tells files apart. */
  readonly path: string;
  /** As it is shown. */
  readonly name: string;
  readonly folder: string;
  /** Who changed it, in a few words. */
  readonly who: string;
  readonly lastAt: string | null;
  /** Where its lines are; nothing for a file that is gone. */
  readonly address: { readonly repo?: string; readonly file: string } | undefined;
}

export function FileChoice({
  facts,
  text,
  onType,
  words,
  isBehind,
  files,
  error,
  retry,
  none,
  tools,
}: {
  readonly facts: string;
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly words: string;
  /** What is shown answers earlier words. */
  readonly isBehind: boolean;
  readonly files: readonly ChosenFile[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  /** Said where no session has changed a file. */
  readonly none: string;
  readonly tools?: ReactNode;
}) {
  const navigate = useNavigate();
  const [at, setAt] = useState(0);
  const there = (files ?? []).filter(({ address }) => address !== undefined);
  const here = Math.min(at, Math.max(0, there.length - 1));
  const open = (file: ChosenFile | undefined): void => {
    if (file?.address) void navigate({ to: "/blame", search: file.address });
  };
  // Who types and presses Enter means what the words find, not what is still shown.
  const isWaiting = useRef(false);
  useEffect(() => {
    if (isBehind || !isWaiting.current) return;
    isWaiting.current = false;
    open(there[0]);
  });
  const moves = {
    move: (by: number) => {
      const next = Math.min(there.length - 1, Math.max(0, here + by));
      setAt(next);
      document.getElementById(`file-${next}`)?.scrollIntoView({ block: "nearest" });
    },
    open: () => {
      if (isBehind) isWaiting.current = true;
      else open(there[here]);
    },
  };
  const group = "Blame";
  useShortcuts([
    { keys: "j", label: "Next file", group, isKeyOnly: true, run: () => moves.move(1) },
    { keys: "k", label: "Previous file", group, isKeyOnly: true, run: () => moves.move(-1) },
    { keys: "enter", label: "Open the file", group, isKeyOnly: true, run: moves.open },
  ]);
  return (
    <Page title="Blame" facts={facts}>
      <div className={css.tools}>
        {tools}
        <FilterField
          text={text}
          onType={(next) => {
            isWaiting.current = false;
            onType(next);
            setAt(0);
          }}
          label="Filter the files"
          placeholder="Part of a path"
          moves={moves}
        />
      </div>
      {error ? (
        <Failure error={error} retry={retry} />
      ) : !files ? (
        <Skeleton rows={10} height={40} />
      ) : files.length === 0 ? (
        <Empty
          icon={<FileSearch />}
          title={words === "" ? "No session has changed a file yet" : `No file matches “${words}”`}
        >
          {words === "" ? none : "Type another part of its path."}
        </Empty>
      ) : (
        <>
          <p className={css.count} role="status">
            {plural(files.length, "file", "files")} that sessions changed, the latest first
          </p>
          <ul className={css.files}>
            {files.map((file) => (
              <FileRow
                key={`${file.address?.repo} ${file.path}`}
                file={file}
                place={there.indexOf(file)}
                isHere={there[here] === file}
              />
            ))}
          </ul>
        </>
      )}
    </Page>
  );
}

function FileRow({
  file,
  place,
  isHere,
}: {
  readonly file: ChosenFile;
  /** Among those that are there; -1 for one that is gone. */
  readonly place: number;
  readonly isHere: boolean;
}) {
  const { address, path } = file;
  const about = (
    <>
      <span className={css.path}>
        <bdi>{file.name}</bdi>
      </span>
      <span className={css.folder}>{file.folder}</span>
      <span className={css.sessions}>{file.who}</span>
      <span className={css.time}>{address ? <Time at={file.lastAt} isBrief /> : "gone"}</span>
    </>
  );
  return (
    <li data-gone={address === undefined || undefined} data-here={isHere || undefined}>
      {address ? (
        <Link to="/blame" search={address} id={`file-${place}`} title={path}>
          {about}
        </Link>
      ) : (
        <span title={path}>{about}</span>
      )}
    </li>
  );
}
