/** Chooses a file among those that sessions changed. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { FileSearch } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { Answer } from "../../../../src/client/index.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { useShortcuts } from "../../keys/keys.ts";
import { api, keys } from "../../lib/api.ts";
import { clean } from "../../text/clean.ts";
import { Page } from "../../ui/page.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { below } from "../session/conversation/below.ts";
import { FilterField } from "../sessions/filter-field.tsx";
import css from "./file-picker.module.css";

type ChangedFile = Answer<"files">["files"][number];

export function FilePicker() {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const words = useDeferredValue(text).trim();
  const { data, error, refetch } = useQuery({
    queryKey: keys.files(words),
    queryFn: ({ signal }) => api.files(words === "" ? {} : { text: words }, { signal }),
    placeholderData: (before) => before,
  });
  const files = data?.files ?? [];
  const there = files.filter(({ exists }) => exists);
  const here = Math.min(at, Math.max(0, there.length - 1));
  const moves = {
    move: (by: number) => {
      const next = Math.min(there.length - 1, Math.max(0, here + by));
      setAt(next);
      document.getElementById(`file-${next}`)?.scrollIntoView({ block: "nearest" });
    },
    open: () => {
      const file = there[here]?.path;
      if (file !== undefined) void navigate({ to: "/blame", search: { file } });
    },
  };
  const group = "Blame";
  useShortcuts([
    { keys: "j", label: "Next file", group, isKeyOnly: true, run: () => moves.move(1) },
    { keys: "k", label: "Previous file", group, isKeyOnly: true, run: () => moves.move(-1) },
    { keys: "enter", label: "Open the file", group, isKeyOnly: true, run: moves.open },
  ]);
  return (
    <Page title="Blame" facts="Which session wrote each line of a file, and why">
      <FilterField
        text={text}
        onType={(next) => {
          setText(next);
          setAt(0);
        }}
        label="Filter the files"
        placeholder="Part of a path"
        moves={moves}
      />
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={10} height={40} />
      ) : files.length === 0 ? (
        <Empty
          icon={<FileSearch />}
          title={words === "" ? "No session has changed a file yet" : `No file matches “${words}”`}
        >
          {words === ""
            ? "As soon as an agent edits one, it is listed here."
            : "Type another part of its path."}
        </Empty>
      ) : (
        <>
          <p className={css.count} role="status">
            {plural(files.length, "file", "files")} that sessions changed, the latest first
          </p>
          <ul className={css.files}>
            {files.map((file) => (
              <FileRow
                key={file.path}
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
  readonly file: ChangedFile;
  /** Among those that are there; -1 for one that is gone. */
  readonly place: number;
  readonly isHere: boolean;
}) {
  const name = clean(below(file.workspace, file.path));
  const about = (
    <>
      <span className={css.path}>
        <bdi>{name}</bdi>
      </span>
      <span className={css.folder}>{clean(file.workspace?.split(/[\\/]/).at(-1) ?? "")}</span>
      <span className={css.sessions}>{plural(file.sessionCount, "session", "sessions")}</span>
      <span className={css.time}>{file.exists ? <Time at={file.lastAt} isBrief /> : "gone"}</span>
    </>
  );
  return (
    <li data-gone={!file.exists || undefined} data-here={isHere || undefined}>
      {file.exists ? (
        <Link to="/blame" search={{ file: file.path }} id={`file-${place}`} title={clean(file.path)}>
          {about}
        </Link>
      ) : (
        <span title={clean(file.path)}>{about}</span>
      )}
    </li>
  );
}
