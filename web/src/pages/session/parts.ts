/** What of the session page depends on who serves it: on one's own machine a session can be changed, on a hub it is read. */
import type { ComponentType } from "react";
import type { Refuse } from "../../change/refusals.ts";
import type { Reading } from "./reading.ts";

export interface SessionParts {
  /** The buttons beside the title. */
  readonly Actions: ComponentType;
  /** The first facts below the title. */
  readonly Facts: ComponentType;
  /** Between the facts and the conversation. */
  readonly Above: ComponentType;
  /** What the inspector says. */
  readonly Inspector: ComponentType;
  /** Above the inspector, where that is a drawer of a narrow page. */
  readonly InDrawer?: ComponentType;
  /** What can be done from a turn, beside its link and its record. */
  readonly TurnActions?: ComponentType<{ readonly index: number }>;
  /** Stands where nothing was said. */
  readonly Empty: ComponentType;
  /** Stands where the session cannot be shown. */
  readonly Missing: ComponentType<{ readonly error: Error; readonly retry: () => void }>;
  /** Why a change cannot be made. */
  readonly useRefuse: () => Refuse;
  /** Keys beside those that move. */
  readonly useKeys: (reading: Reading) => void;
}
