/** What is shown for an address that leads nowhere, and when a view breaks. */
import { Link, useRouter } from "@tanstack/react-router";
import { Failure } from "../change/failure.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Empty } from "../ui/states.tsx";

export function NotFound() {
  return (
    <Empty
      title="There is no such page"
      action={
        <Link to="/" className={buttonClass({})}>
          Go home
        </Link>
      }
    >
      The address may be from another version, or mistyped.
    </Empty>
  );
}

export function RouteError({ error }: { readonly error: unknown }) {
  const router = useRouter();
  return <Failure error={error} retry={() => void router.invalidate()} />;
}
