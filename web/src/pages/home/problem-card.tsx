/** One thing that is wrong: what it is about, what it means, and the button that helps. */
import { Link } from "@tanstack/react-router";
import { Button } from "../../ui/button.tsx";
import home from "./home.module.css";
import css from "./problems.module.css";

export interface ProblemFacts {
  readonly id: string;
  readonly title: string;
  readonly message: string;
  readonly isDamage: boolean;
  /** What the button says; without one, the doctor has the details. */
  readonly action?: string;
  readonly run?: () => void;
}

export function ProblemCard({ title, message, isDamage, action, run }: ProblemFacts) {
  return (
    <li className={css.problem} data-damage={isDamage || undefined}>
      <div>
        <p className={css.title}>{title}</p>
        <p className={css.message} title={message}>
          {message}
        </p>
      </div>
      {run && action !== undefined ? (
        <Button size="small" aria-label={`${action} ${title}`} onClick={run}>
          {action}
        </Button>
      ) : (
        <Link to="/doctor" className={home.more}>
          Details
        </Link>
      )}
    </li>
  );
}
