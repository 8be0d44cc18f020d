/** Blame on a hub: who wrote each line of a file, as far as one may see their sessions. */
import { FileQuestion } from "lucide-react";
import { ApiError } from "../../lib/api.ts";
import { line as oneLine } from "../../lib/titles.ts";
import { BlamePage } from "../../pages/blame/blame-page.tsx";
import { blameRoute } from "../../router.tsx";
import { Empty } from "../../ui/states.tsx";
import { hubApi } from "../api.ts";
import { FilePicker } from "./file-picker.tsx";

const PARTIAL = "No recorded change tells the whole file: these are the parts that changes tell";

export function Blame() {
  const { repo, file, line } = blameRoute.useSearch();
  if (file === undefined || repo === undefined) return <FilePicker repo={repo} />;
  return (
    <BlamePage
      key={`${repo} ${file}`}
      file={file}
      line={line}
      name={`${repo} ${file}`}
      where={oneLine([repo, ...file.split("/").slice(0, -1)].join("/"))}
      others={{ repo }}
      // The hub knows sessions, and no commits.
      ask={async (signal) => {
        const blame = await hubApi.blame({ repo, file }, { signal });
        return { ...blame, gitTrouble: blame.isPartial ? PARTIAL : "" };
      }}
      isMissing={(error) => error instanceof ApiError && error.status === 404}
      missing={
        <Empty icon={<FileQuestion />} title="Not found, or not shared with you">
          No session that you may see has changed a file of this name.
        </Empty>
      }
    />
  );
}
