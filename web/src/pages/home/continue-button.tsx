/** Copies the command that continues a session. */
import { Terminal } from "lucide-react";
import { copyText } from "../../lib/clipboard.ts";
import { titleOf } from "../../lib/titles.ts";
import { Button, Hint } from "../../ui/button.tsx";
import type { SessionRow } from "../sessions/session-query.ts";

export function ContinueButton({ session }: { readonly session: SessionRow }) {
  const { resume } = session;
  if (resume === null || session.vanishedAt !== null) return null;
  return (
    <Hint label={`Copy: ${resume}`}>
      <Button
        size="small"
        icon={<Terminal />}
        aria-label={`Continue ${titleOf(session)}: copy the command`}
        onClick={() => void copyText(resume, "The command that continues it is")}
      >
        Continue
      </Button>
    </Hint>
  );
}
