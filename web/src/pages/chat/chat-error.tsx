/** Why a message was not sent, or its answer failed, and what to do now. */
import { CircleAlert } from "lucide-react";
import { ApiError } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { describe } from "../../ui/states.tsx";
import css from "./chat.module.css";

/** Where the hint of the command line names an option that pages do not have. */
const HINTS: Readonly<Record<string, string>> = {
  "program-missing": "Install it on this machine with npm install -g @github/copilot, then try again.",
};

export function ChatError({
  error,
  onRetry,
  onAnyway,
  onDismiss,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** Sends although another process seems to have the session open. */
  readonly onAnyway?: (() => void) | undefined;
  readonly onDismiss: () => void;
}) {
  const { message, code, hint } = describe(error);
  const isOpenElsewhere = error instanceof ApiError && code === "session-busy" && onAnyway !== undefined;
  return (
    <div className={css.error} role="alert">
      <CircleAlert aria-hidden="true" />
      <div>
        <p>{message}</p>
        <p className={css.errorHint}>
          {isOpenElsewhere
            ? "Close it there first, or send anyway if it is not really open."
            : (HINTS[code] ?? hint)}{" "}
          <code>{code}</code>
        </p>
      </div>
      <span className={css.errorButtons}>
        {isOpenElsewhere && (
          <Button size="small" onClick={onAnyway}>
            Send anyway
          </Button>
        )}
        {onRetry && (
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        )}
        <Button size="small" tone="ghost" onClick={onDismiss}>
          Dismiss
        </Button>
      </span>
    </div>
  );
}
