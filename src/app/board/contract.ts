/** The types of calls about the context board. */
import type { BoardWrite, ItemChange, Pruned } from "../../chronicle/board/board.ts";
import type { Proposal } from "../../chronicle/board/proposals.ts";
import type { BoardItem, BoardSource } from "../../model/board/item.ts";
import type { BoardChange, BoardKey } from "../../store/state/board.ts";
import type { Call } from "../call.ts";
import type { BoardPlaceRequest, FoundPlace } from "./board-place.ts";

export interface BoardList {
  readonly items: readonly BoardItem[];
  /** Whose they are; all there are without a repository. */
  readonly place: FoundPlace;
  /** How many are elsewhere. */
  readonly others: number;
}

export interface BoardAddition extends Omit<BoardPlaceRequest, "all"> {
  readonly name: string;
  readonly content: string;
  /** By default the first line of the content. */
  readonly description?: string;
  /** By default a person. */
  readonly source?: BoardSource;
  /** Only say what would be added, or why it cannot be. */
  readonly dryRun?: boolean;
}

export interface ItemName extends BoardPlaceRequest {
  readonly name: string;
  /** Who wrote it, where several items have that name. */
  readonly itemSource?: string;
}

export interface BoardPruning extends BoardPlaceRequest {
  readonly name?: string;
  readonly unread?: boolean;
  readonly before?: Date;
  readonly items?: readonly (BoardKey & { readonly updatedAt?: string })[];
  readonly dryRun?: boolean;
}

export interface Consolidation extends BoardPlaceRequest {
  /** By default what was done in the last 90 days counts. */
  readonly since?: Date;
  /** Writes what is proposed; by default nothing is written. */
  readonly apply?: boolean;
  /** Only the proposals with these ids. */
  readonly only?: readonly string[];
}

export interface Consolidated {
  readonly proposals: readonly Proposal[];
  readonly place: FoundPlace;
  readonly since: Date;
  /** Set when they were written. */
  readonly operation?: string;
}

export interface BoardApp {
  list(request?: BoardPlaceRequest, call?: Call): Promise<BoardList>;
  /** Counts that it was read. */
  get(request: ItemName, call?: Call): Promise<BoardItem>;
  /** All of a board, to be handed to an agent: counts that each was used. */
  handOut(request?: BoardPlaceRequest, call?: Call): Promise<BoardList>;
  add(request: BoardAddition, call?: Call): Promise<BoardWrite>;
  edit(request: ItemName & ItemChange, call?: Call): Promise<BoardWrite>;
  prune(request: BoardPruning, call?: Call): Promise<Pruned>;
  consolidate(request?: Consolidation, call?: Call): Promise<Consolidated>;
  /** Of the last change that was not undone, when none is named. */
  undo(operation?: string, call?: Call): Promise<BoardChange>;
  /** Latest first. */
  changes(call?: Call): Promise<BoardChange[]>;
}
