/** What can be done about an error or a problem: the words for it, and the button that does it. */
import { fromKey } from "../lib/session-key.ts";
import { Button, type Tone } from "../ui/button.tsx";
import { adviceOf } from "./advice.ts";
import { useRefusals } from "./refusals.ts";
import { openRemedy, type RemedyData, remedyLabel } from "./remedies.ts";
import { wayOf } from "./remedy-way.ts";

export function RemedyButton({
  remedy,
  around,
  tone,
  size = "small",
  about,
  onTaken,
}: {
  readonly remedy: RemedyData;
  /** The session that the page is about, for a remedy that names none. */
  readonly around?: string | undefined;
  readonly tone?: Tone | undefined;
  readonly size?: "small" | "normal";
  /** What it is about, for those who hear the button alone. */
  readonly about?: string | undefined;
  readonly onTaken?: () => void;
}) {
  const refuse = useRefusals();
  const label = remedyLabel(remedy, around);
  const way = wayOf(remedy, around);
  const refusal =
    way.does === "change" ? refuse(way.request.kind, way.request.sessions.map(fromKey)) : undefined;
  return (
    <Button
      size={size}
      tone={tone}
      refusal={refusal}
      {...(about !== undefined && { "aria-label": `${label} ${about}` })}
      onClick={() => {
        onTaken?.();
        openRemedy(remedy, around);
      }}
    >
      {label}
    </Button>
  );
}

/** After the sentence of the error itself. */
export function NextStep({ error, around }: { readonly error: unknown; readonly around?: string }) {
  const { words, remedy } = adviceOf(error);
  return (
    <>
      {words !== "" && <p>{words}.</p>}
      {remedy && <RemedyButton remedy={remedy} {...(around !== undefined && { around })} />}
    </>
  );
}
