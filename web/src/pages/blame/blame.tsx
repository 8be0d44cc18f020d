/** Blame: a file of this machine with the sessions that wrote it beside its lines, or a choice of files. */
import { api } from "../../lib/api.ts";
import { blameRoute } from "../../router.tsx";
import { BlamePage } from "./blame-page.tsx";
import { FilePicker } from "./file-picker.tsx";

export function Blame() {
  const { file, line } = blameRoute.useSearch();
  if (file === undefined) return <FilePicker />;
  return (
    <BlamePage
      key={file}
      file={file}
      line={line}
      name={file}
      ask={(signal) => api.blame({ file, brief: true }, { signal })}
      askWhy={{
        file,
        ask: async (at, signal) => (await api.blame({ file, line: at, why: true }, { signal })).why,
      }}
    />
  );
}
