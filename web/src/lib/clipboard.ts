/** Copies text, and says so. */
import { toast } from "../ui/toasts.tsx";

export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ text: `${what} copied` });
  } catch {
    toast({ text: "The browser did not allow copying", isError: true });
  }
}
