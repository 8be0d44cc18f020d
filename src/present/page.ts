/** The interface of all pages that print a session. */
import type { ShowVisitor } from "../app/contract.ts";
import type { Style } from "./text/style.ts";

export interface Page {
  readonly style: Style;
  readonly columns: number;
}

/** What is unfolded. */
export interface Detail {
  readonly full: boolean;
  readonly thinking: boolean;
}

/** A page that is written as the session is read: turns arrive one by one, and the rest is said at the end. */
export interface PageVisitor extends ShowVisitor {
  end(): void;
}
