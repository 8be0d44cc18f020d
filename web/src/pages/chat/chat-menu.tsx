/** What can be done with a conversation in the list: another title, or delete it, which can be undone. */
import { useNavigate } from "@tanstack/react-router";
import { EllipsisVertical, Pencil, Trash2 } from "lucide-react";
import { type SubmitEvent, useId, useState } from "react";
import { api, keys, queryClient } from "../../lib/api.ts";
import { sourceOf } from "../../lib/sources.ts";
import { line } from "../../lib/titles.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Menu } from "../../ui/menu.tsx";
import { describe } from "../../ui/states.tsx";
import { toast } from "../../ui/toasts.tsx";
import css from "./chat.module.css";

interface Chat {
  readonly id: string;
  readonly source: string;
  readonly title: string;
}

const LONGEST_TITLE = 200;

const told = (): Promise<void> => queryClient.invalidateQueries({ queryKey: keys.chats });

export function ChatMenu({
  chat,
  isOpen,
  isAnswering,
  isReadOnly,
}: {
  readonly chat: Chat;
  /** It is the one that is shown. */
  readonly isOpen: boolean;
  readonly isAnswering: boolean;
  readonly isReadOnly: boolean;
}) {
  const navigate = useNavigate();
  const [isRenaming, setRenaming] = useState(false);
  const refusal = isReadOnly
    ? "The server is read-only"
    : isAnswering
      ? "It is being answered; stop the answer first"
      : undefined;
  const name = line(chat.title) || "Without a title";
  const remove = async (): Promise<void> => {
    try {
      await api.deleteChat(chat.id);
    } catch (error) {
      toast({ text: describe(error).message, isError: true });
      return;
    }
    if (isOpen) void navigate({ to: "/chat", search: {}, replace: true });
    void told();
    toast({
      text: `“${name}” deleted; ${sourceOf(chat.source).short}’s own session stays`,
      action: { label: "Undo", run: () => void bringBack(chat.id) },
    });
  };
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`More about ${name}`} className={css.entryMenu ?? ""}>
            <EllipsisVertical />
          </IconButton>
        }
        items={[
          { label: "Rename…", icon: <Pencil />, refusal, run: () => setRenaming(true) },
          { label: "Delete", icon: <Trash2 />, isDanger: true, refusal, run: () => void remove() },
        ]}
      />
      {isRenaming && <RenameDialog chat={chat} onClose={() => setRenaming(false)} />}
    </>
  );
}

async function bringBack(id: string): Promise<void> {
  try {
    await api.restoreChat(id);
    await told();
  } catch (error) {
    toast({ text: describe(error).message, isError: true });
  }
}

function RenameDialog({ chat, onClose }: { readonly chat: Chat; readonly onClose: () => void }) {
  const form = useId();
  const [title, setTitle] = useState(chat.title);
  const [error, setError] = useState<string>();
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    try {
      await api.renameChat(chat.id, title);
      await told();
      onClose();
    } catch (problem) {
      setError(describe(problem).message);
    }
  };
  return (
    <Dialog
      title="Rename the conversation"
      description={`${sourceOf(chat.source).short}’s own session keeps its name.`}
      size="small"
      onClose={onClose}
      initialFocus={() => document.querySelector<HTMLInputElement>(`#${CSS.escape(form)} input`)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" type="submit" form={form} disabled={title.trim() === ""}>
            Rename
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void save(event)}>
        <TextField
          label="Title"
          value={title}
          maxLength={LONGEST_TITLE}
          error={error}
          onChange={(event) => setTitle(event.target.value)}
          onFocus={(event) => event.target.select()}
        />
      </form>
    </Dialog>
  );
}
