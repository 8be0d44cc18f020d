/** Where work was: the repository of a session, or else its folder, and the web addresses of what a repository holds. */

export interface Placed {
  readonly repository: string | undefined;
  readonly workspace: string | undefined;
}

const ON_GITHUB = /^[\w.-]+\/[\w.-]+$/;
const ON_GITLAB = /^gitlab\.com(?:\/[\w.-]+){2,}$/;

/** Sessions of one place have the same key. On GitHub case does not matter in a name. */
export function placeKey({ repository, workspace }: Placed): string {
  if (repository === undefined) return workspace ?? "";
  return ON_GITHUB.test(repository) ? repository.toLowerCase() : repository;
}

export type Linked = "commit" | "pr" | "issue";

const GITHUB: Readonly<Record<Linked, string>> = { commit: "commit", pr: "pull", issue: "issues" };
const GITLAB: Readonly<Record<Linked, string>> = {
  commit: "-/commit",
  pr: "-/merge_requests",
  issue: "-/issues",
};

/** Nothing for hosts whose addresses we do not know. */
export function addressOf(repository: string | undefined, type: Linked, value: string): string | undefined {
  if (repository === undefined || !/^[0-9a-f]+$/.test(value)) return undefined;
  if (ON_GITHUB.test(repository)) return `https://github.com/${repository}/${GITHUB[type]}/${value}`;
  return ON_GITLAB.test(repository) ? `https://${repository}/${GITLAB[type]}/${value}` : undefined;
}
