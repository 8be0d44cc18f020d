/** A handoff to an agent whose sessions nobody can write: what it has to know, to be pasted there. */
import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { plural } from "../../../src/present/text/measure.ts";
import { api, keys } from "../lib/api.ts";
import { copyText } from "../lib/clipboard.ts";
import { clean } from "../text/clean.ts";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/states.tsx";
import css from "./change.module.css";
import { Refusal } from "./refusal.tsx";
import type { Change } from "./use-change.ts";

export function Briefing({ change }: { readonly change: Change }) {
  const { request, choices } = change;
  const [session = ""] = request.sessions;
  const query = choices.budget === undefined || choices.budget < 1 ? {} : { budget: choices.budget };
  const { data, error, refetch } = useQuery({
    queryKey: keys.briefing(session, query.budget),
    queryFn: ({ signal }) => api.briefing(session, query, { signal }),
  });
  if (error) return <Refusal change={change} error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={5} height={40} />;
  const left = Object.values(data.left).reduce((sum, count) => sum + count, 0);
  return (
    <div className={css.briefing}>
      <h2 className={css.heading}>
        The briefing
        <span>{plural(data.tokens, "token", "tokens")}</span>
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys, too */}
      <pre tabIndex={0}>{clean(data.markdown)}</pre>
      {left > 0 && (
        <p className={css.muted}>{plural(left, "fact", "facts")} did not fit: a larger budget has them.</p>
      )}
      <div className={css.actions}>
        <Button icon={<Copy />} tone="primary" onClick={() => void copyText(data.markdown, "Briefing")}>
          Copy the briefing
        </Button>
      </div>
    </div>
  );
}
