/** The sentence, the code and the next step of an error, where a view has nothing else to show. */
import { CircleAlert } from "lucide-react";
import { Button } from "../ui/button.tsx";
import css from "../ui/states.module.css";
import { describe } from "../ui/states.tsx";
import { adviceOf } from "./advice.ts";
import { RemedyButton } from "./next-step.tsx";

export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { message, code } = describe(error);
  const { words, remedy } = adviceOf(error);
  return (
    <div className={css.state} role="alert">
      <div className={css.icon} data-tone="bad">
        <CircleAlert />
      </div>
      <h2>{message}</h2>
      {words !== "" && <p className={css.words}>{words}</p>}
      <div className={css.actions}>
        {retry && <Button onClick={retry}>Try again</Button>}
        {remedy && <RemedyButton remedy={remedy} size="normal" />}
        <code className={css.code}>{code}</code>
      </div>
    </div>
  );
}
