/** Shares the session that is open, or stops sharing it; where its repository is shared, says so instead. */
import { Link } from "@tanstack/react-router";
import { Share2, Undo2 } from "lucide-react";
import { useState } from "react";
import { titleOf } from "../../lib/titles.ts";
import { useReading } from "../../pages/session/reading.ts";
import { Button } from "../../ui/button.tsx";
import { ShareDialog } from "./share-dialog.tsx";
import css from "./sharing.module.css";
import { UnshareDialog } from "./unshare-dialog.tsx";
import { useShares } from "./use-sharing.ts";

export function ShareSession() {
  const { key, session } = useReading();
  const { data } = useShares();
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const own = data?.shares.find((share) => share.session === key);
  if (session.sharing !== "private" && data && !own)
    return (
      <p className={css.note}>
        Its repository is shared. <Link to="/sharing">What you share</Link>
      </p>
    );
  if (own)
    return (
      <>
        <Button size="small" icon={<Undo2 />} onClick={() => setOpen(true)}>
          Stop sharing…
        </Button>
        {isOpen && <UnshareDialog share={own} name={titleOf(session)} onClose={close} />}
      </>
    );
  return (
    <>
      <Button size="small" icon={<Share2 />} onClick={() => setOpen(true)}>
        Share…
      </Button>
      {isOpen && (
        <ShareDialog what={{ session: key, name: titleOf(session), sessionCount: 1 }} onClose={close} />
      )}
    </>
  );
}
