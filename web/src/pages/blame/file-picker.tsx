/** Chooses a file of this machine among those that sessions changed. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { api, keys } from "../../lib/api.ts";
import { clean } from "../../text/clean.ts";
import { below } from "../session/conversation/below.ts";
import { FileChoice } from "./file-choice.tsx";

export function FilePicker() {
  const [text, setText] = useState("");
  const words = text.trim();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: keys.files(words),
    queryFn: ({ signal }) => api.files(words === "" ? {} : { text: words }, { signal }),
    placeholderData: (before) => before,
  });
  return (
    <FileChoice
      facts="Which session wrote each line of a file, and why"
      text={text}
      onType={setText}
      words={words}
      isBehind={isPlaceholderData}
      files={data?.files.map(({ path, workspace, sessionCount, lastAt, exists }) => ({
        path: clean(path),
        name: clean(below(workspace, path)),
        folder: clean(workspace?.split(/[\\/]/).at(-1) ?? ""),
        who: plural(sessionCount, "session", "sessions"),
        lastAt,
        address: exists ? { file: path } : undefined,
      }))}
      error={error}
      retry={() => void refetch()}
      none="As soon as an agent edits one, it is listed here."
    />
  );
}
