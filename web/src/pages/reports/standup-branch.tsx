/** One branch of a standup: its sessions with how they ended, then files, commits, pull requests and issues. */
import { Link } from "@tanstack/react-router";
import { GitBranch } from "lucide-react";
import { Fragment, type ReactNode, useState } from "react";
import type { HubNamed } from "../../../../src/client/hub-types.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { toKey } from "../../lib/session-key.ts";
import { line, titleOf } from "../../lib/titles.ts";
import { SourceMark } from "../../ui/marks.tsx";
import { OutsideLink } from "./outside-link.tsx";
import css from "./reports.module.css";
import type { Standup } from "./standup-view.tsx";

type Branch = Standup["repositories"][number]["branches"][number];
/** Whose it is, on a hub. */
type Session = Branch["sessions"][number] & Partial<HubNamed>;

/** Names that a person reads; the rest is shown when asked for. */
const MOST_FILES = 8;

export function StandupBranch({ branch }: { readonly branch: Branch }) {
  const { commits, pullRequests, issues } = branch;
  return (
    <article className={css.branch}>
      <header>
        <GitBranch aria-hidden="true" />
        <h3 className="ellipsis">{branch.branch === null ? "No branch" : line(branch.branch)}</h3>
        <span className={css.count}>{plural(branch.turns, "turn", "turns")}</span>
      </header>
      <ul className={css.sessions}>
        {branch.sessions.map((session: Session) => (
          <li key={toKey(session)}>
            <SourceMark source={session.source} />
            <div>
              <Link to="/s/$key" params={{ key: toKey(session) }} className={css.title} data-stop>
                {titleOf(session)}
              </Link>{" "}
              {session.person !== undefined && <span className={css.person}>{line(session.person)}</span>}
              {session.outcome !== null && <p className={css.outcome}>{line(session.outcome)}</p>}
            </div>
            {branch.sessions.length > 1 && (
              <span className={css.count}>{plural(session.turns, "turn", "turns")}</span>
            )}
          </li>
        ))}
      </ul>
      <dl className={css.facts}>
        <Files files={branch.files} />
        <Fact name={commits.length === 1 ? "Commit" : "Commits"} items={commits}>
          {({ commit, subject, url }) => (
            <span key={commit} className={css.commit}>
              <OutsideLink url={url}>
                <code>{commit.slice(0, 7)}</code>
              </OutsideLink>{" "}
              {subject === null ? "" : line(subject)}
            </span>
          )}
        </Fact>
        <Fact name={pullRequests.length === 1 ? "Pull request" : "Pull requests"} items={pullRequests}>
          {(each) => <Numbered key={each.number} {...each} />}
        </Fact>
        <Fact name={issues.length === 1 ? "Issue" : "Issues"} items={issues}>
          {(each) => <Numbered key={each.number} {...each} />}
        </Fact>
      </dl>
    </article>
  );
}

function Fact<T>({
  name,
  items,
  children,
}: {
  readonly name: string;
  readonly items: readonly T[];
  readonly children: (item: T) => ReactNode;
}) {
  if (items.length === 0) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{items.map(children)}</dd>
    </>
  );
}

function Numbered({ number, url, evidence, session, turn }: Branch["issues"][number]) {
  return (
    <span className={css.number}>
      <OutsideLink url={url}>#{number}</OutsideLink>
      <Link to="/s/$key" params={{ key: toKey(session) }} search={{ turn }} className={css.where}>
        {evidence === "mentioned" ? "mentioned in " : ""}turn {turn}
      </Link>
    </span>
  );
}

function Files({ files }: { readonly files: Branch["files"] }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? files : files.slice(0, MOST_FILES);
  if (files.length === 0) return null;
  return (
    <>
      <dt>{plural(files.length, "file", "files")}</dt>
      <dd>
        {shown.map(({ path, action, session, turn }) => (
          <Fragment key={path}>
            <Link
              to="/s/$key"
              params={{ key: toKey(session) }}
              search={{ turn }}
              className={css.file}
              data-action={action}
              title={`${action} in ${titleOf(session)}, turn ${turn}`}
            >
              {line(path)}
            </Link>{" "}
          </Fragment>
        ))}
        {files.length > shown.length && (
          <button type="button" className={css.more} onClick={() => setOpen(true)}>
            {files.length - shown.length} more
          </button>
        )}
      </dd>
    </>
  );
}
