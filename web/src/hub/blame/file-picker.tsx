/** Chooses a repository, and a file of it that sessions changed. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Check, FolderGit2 } from "lucide-react";
import { useState } from "react";
import { api, keys } from "../../lib/api.ts";
import { line } from "../../lib/titles.ts";
import { FileChoice } from "../../pages/blame/file-choice.tsx";
import { clean } from "../../text/clean.ts";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { hubApi } from "../api.ts";

const FACETS = { facets: true, limit: 1 };

export function FilePicker({ repo }: { readonly repo: string | undefined }) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const words = text.trim();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [...keys.files(words), repo ?? null],
    queryFn: ({ signal }) =>
      hubApi.files({ ...(repo !== undefined && { repo }), ...(words !== "" && { q: words }) }, { signal }),
    placeholderData: (before) => before,
  });
  const { data: listed } = useQuery({
    queryKey: keys.sessions(FACETS),
    queryFn: ({ signal }) => api.sessions(FACETS, { signal }),
  });
  const choose = (next: string | undefined): void =>
    void navigate({ to: "/blame", search: next === undefined ? {} : { repo: next }, replace: true });
  const label = repo === undefined ? "All repositories" : line(repo);
  return (
    <FileChoice
      facts="Who wrote each line of a file with an agent, and what they asked for"
      text={text}
      onType={setText}
      words={words}
      isBehind={isPlaceholderData}
      files={data?.files.map(({ repository, path, people, lastAt }) => ({
        path: clean(path),
        name: clean(path),
        folder: clean(repository),
        who: people.map(line).join(", "),
        lastAt,
        address: { repo: repository, file: path },
      }))}
      error={error}
      retry={() => void refetch()}
      none="As soon as somebody shares a session that edits one, it is listed here."
      tools={
        <Menu
          align="start"
          trigger={
            <Button icon={<FolderGit2 />} aria-label={`Repository: ${label}`}>
              {label}
            </Button>
          }
          items={[
            {
              label: "All repositories",
              icon: repo === undefined ? <Check /> : undefined,
              run: () => choose(undefined),
            },
            ...(listed?.facets?.repository ?? []).map(({ value }) => ({
              label: line(value),
              icon: value === repo ? <Check /> : undefined,
              run: () => choose(value),
            })),
          ]}
        />
      }
    />
  );
}
