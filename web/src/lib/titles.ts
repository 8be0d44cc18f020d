/** What sessions and places are called, on one line and without anything that steers or reverses text. */
import { clean } from "../text/clean.ts";

export const line = (text: string): string => clean(text).replace(/\s+/g, " ").trim();

export const titleOf = ({ title }: { readonly title: string }): string => line(title) || "Untitled session";
