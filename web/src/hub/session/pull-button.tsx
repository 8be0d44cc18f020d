/** How to continue one's own session on another machine: a command to copy. */
import { Popover } from "@base-ui/react/popover";
import { Play } from "lucide-react";
import { useState } from "react";
import { toShell } from "../../../../src/model/text/shell-words.ts";
import { useShortcuts } from "../../keys/keys.ts";
import css from "../../pages/session/header/header.module.css";
import { useReading } from "../../pages/session/reading.ts";
import { CopyButton } from "../../text/code.tsx";
import { Button } from "../../ui/button.tsx";

export function PullButton() {
  const { key } = useReading();
  const [isOpen, setOpen] = useState(false);
  useShortcuts([
    { keys: "enter", label: "Continue on this machine", group: "Session", run: () => setOpen(true) },
  ]);
  const command = toShell(["rethread", "sync", "--pull", key]);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        render={
          <Button tone="primary" icon={<Play />}>
            Continue
          </Button>
        }
      />
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={6} className={css.positioner}>
          <Popover.Popup className={css.popup}>
            <Popover.Title>Continue on this machine</Popover.Title>
            <Popover.Description>
              Run this in a terminal. It writes the session here as its own program would, ready to be
              continued; what you have already stays as it is.
            </Popover.Description>
            <div className={css.command}>
              <code>{command}</code>
              <CopyButton text={command} what="Command" />
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
