/** The standup: what was left open first, then the work by repository and branch. */
import { CircleHelp, CirclePause, CircleX, type LucideIcon } from "lucide-react";
import type { Answer } from "../../../../src/client/types.ts";
import { OPEN_WORDS } from "../../../../src/present/markdown/standup.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { line } from "../../lib/titles.ts";
import { Section } from "../../ui/page.tsx";
import { Evidence } from "./evidence.tsx";
import css from "./reports.module.css";
import { StandupBranch } from "./standup-branch.tsx";

export type Standup = Answer<"chronicle-standup">;
type Repository = Standup["repositories"][number];
type OpenEnd = Repository["branches"][number]["openEnds"][number];

const ICONS: Readonly<Record<OpenEnd["kind"], LucideIcon>> = {
  failed: CircleX,
  asked: CircleHelp,
  interrupted: CirclePause,
};

export function StandupView({ standup }: { readonly standup: Standup }) {
  const open = standup.repositories.flatMap(({ branches }) => branches.flatMap(({ openEnds }) => openEnds));
  return (
    <>
      {standup.gitTroubles.map((trouble) => (
        <p key={trouble} className={css.note}>
          {line(trouble)}.
        </p>
      ))}
      {open.length > 0 && (
        <section className={css.open} aria-label="Left open">
          <h2>Left open</h2>
          <ul>
            {open.map(({ kind, text, session, turn }) => {
              const Icon = ICONS[kind];
              return (
                <li key={`${session.source} ${session.id} ${turn} ${kind}`}>
                  <Icon aria-hidden="true" className={css.kind} data-kind={kind} />
                  <div>
                    <p className={css.text}>
                      <b>{OPEN_WORDS[kind]}</b> {line(text)}
                    </p>
                    <Evidence session={session} turn={turn} />
                  </div>
                </li>
              );
            })}
          </ul>
        </section>
      )}
      {standup.repositories.map((repository) => (
        <Section
          key={repository.repository ?? repository.folder ?? ""}
          title={
            <>
              {line(repository.repository ?? repository.folder ?? "No repository")}
              <span className={css.count}>{plural(repository.turns, "turn", "turns")}</span>
            </>
          }
        >
          {repository.branches.map((branch) => (
            <StandupBranch key={branch.branch ?? ""} branch={branch} />
          ))}
        </Section>
      ))}
    </>
  );
}
