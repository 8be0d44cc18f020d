/** Where each agent keeps its sessions: which folders were looked at, and what was found there. */

import { amount } from "../../../../src/present/text/measure.ts";
import { sourceOf } from "../../lib/sources.ts";
import { Badge, SourceMark } from "../../ui/marks.tsx";
import type { IndexState } from "./index-section.tsx";
import { Path } from "./path.tsx";
import { Card } from "./row.tsx";
import css from "./settings.module.css";

export function Folders({ homes }: { readonly homes: IndexState["homes"] }) {
  const bySource = [...Map.groupBy(homes, ({ source }) => source)];
  return (
    <Card>
      {bySource.map(([source, all]) => (
        <section key={source} className={css.source} aria-label={sourceOf(source).label}>
          <h3>
            <SourceMark source={source} /> {all[0]?.label ?? sourceOf(source).label}
            {all[0]?.variable !== undefined && (
              <span className={css.variable}>
                <code>{all[0].variable}</code> names another folder
              </span>
            )}
          </h3>
          <ul>
            {all.map(({ path, exists, sessions }) => (
              <li key={path} className={css.home}>
                <Path path={path} />
                {exists ? (
                  <span className={css.count}>
                    {amount(sessions)} {sessions === 1 ? "session" : "sessions"}
                  </span>
                ) : (
                  <Badge>not there</Badge>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Card>
  );
}
