/** The main button of a session: how it is continued, with a command to copy. */
import { Popover } from "@base-ui/react/popover";
import { Play } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useShortcuts } from "../../../keys/keys.ts";
import { CopyButton } from "../../../text/code.tsx";
import { Button } from "../../../ui/button.tsx";
import css from "./header.module.css";

export function ContinuePopover({
  label,
  children,
}: {
  /** What the key does, in words. */
  readonly label: string;
  readonly children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  useShortcuts([{ keys: "enter", label, group: "Session", run: () => setOpen(true) }]);
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
          <Popover.Popup className={css.popup}>{children(() => setOpen(false))}</Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

export function Command({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <>
      <Popover.Description>{children}</Popover.Description>
      <div className={css.command}>
        <code>{text}</code>
        <CopyButton text={text} what="Command" />
      </div>
    </>
  );
}
