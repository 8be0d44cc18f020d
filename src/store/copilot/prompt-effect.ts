/**
 * Counts turns as Copilot CLI's own store does: only prompts with text start a turn, and any prompt ends the one
 * before.
 */
import type { PromptEvent } from "../../model/session/session.ts";
import type { PromptEffect } from "../../model/session/turns.ts";

/** What follows a prompt without words is in no row of that store, even where the prompt has attachments. */
export const copilotPromptEffect = ({ text }: PromptEvent): PromptEffect =>
  text.trim() === "" ? "close" : "start";
