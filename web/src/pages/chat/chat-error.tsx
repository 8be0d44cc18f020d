/** Why a message was not sent, or its answer failed, and what to do now. */
import { CircleAlert } from "lucide-react";
import { useState } from "react";
import { adviceOf } from "../../change/advice.ts";
import { FolderField } from "../../change/forms/folder-field.tsx";
import { RemedyButton } from "../../change/next-step.tsx";
import { ApiError } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { describe } from "../../ui/states.tsx";
import css from "./chat.module.css";

export function ChatError({
  error,
  onRetry,
  onAnyway,
  onFolder,
  onDismiss,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** Sends although another process seems to have the session open. */
  readonly onAnyway?: (() => void) | undefined;
  /** Sends it in another folder, where the one of the conversation is gone. */
  readonly onFolder?: ((folder: string) => void) | undefined;
  readonly onDismiss: () => void;
}) {
  const { message, code } = describe(error);
  const { words, remedy } = adviceOf(error);
  const isOpenElsewhere = error instanceof ApiError && code === "session-busy" && onAnyway !== undefined;
  return (
    <div className={css.error} role="alert">
      <CircleAlert aria-hidden="true" />
      <div>
        <p>{message}</p>
        <p className={css.errorHint}>
          {isOpenElsewhere
            ? "Close it there first, or send anyway if it is not really open."
            : words !== "" && `${words}.`}{" "}
          <code>{code}</code>
        </p>
      </div>
      <span className={css.errorButtons}>
        {isOpenElsewhere && (
          <Button size="small" onClick={onAnyway}>
            Send anyway
          </Button>
        )}
        {code === "workspace-missing" && onFolder ? (
          <OtherFolder onFolder={onFolder} />
        ) : (
          remedy && !isOpenElsewhere && <RemedyButton remedy={remedy} />
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

function OtherFolder({ onFolder }: { readonly onFolder: (folder: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [folder, setFolder] = useState("");
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Continue in another folder…
      </Button>
      {isOpen && (
        <Dialog
          title="Continue in another folder"
          description="The conversation goes on there, in a copy of the program’s session."
          size="small"
          onClose={() => setOpen(false)}
          footer={
            <>
              <Button onClick={() => setOpen(false)}>Cancel</Button>
              <Button
                tone="primary"
                disabled={folder.trim() === ""}
                onClick={() => {
                  setOpen(false);
                  onFolder(folder.trim());
                }}
              >
                Send
              </Button>
            </>
          }
        >
          <FolderField label="Folder" value={folder} placeholder="/path/to/folder" onValue={setFolder} />
        </Dialog>
      )}
    </>
  );
}
