/** What the forms of several changes have in common. */
import { fromKey } from "../../lib/session-key.ts";
import { clean } from "../../text/clean.ts";
import { TextField } from "../../ui/field.tsx";
import type { Change } from "../use-change.ts";

export type FormProps = { readonly change: Change };

export const sourceIn = ({ facts, request }: Change): string =>
  facts?.session.source ?? fromKey(request.sessions[0] ?? "").source;

export function NameField({
  change: { choices, choose, facts, request },
  label,
  suffix,
  ...rest
}: FormProps & {
  readonly label: string;
  readonly suffix?: string;
  /** What the plan calls it where nobody names it; given even before there is one. */
  readonly planned?: string | null | undefined;
}) {
  const known = "planned" in rest ? (rest.planned ?? undefined) : (facts?.session.title ?? request.title);
  const title = known === undefined ? undefined : clean(known);
  return (
    <TextField
      label={label}
      value={choices.name}
      placeholder={title === undefined || suffix === undefined ? title : `${title} ${suffix}`}
      maxLength={200}
      autoComplete="off"
      onChange={({ target }) => choose({ name: target.value })}
    />
  );
}
