/** A process that is all the clients of a load. */
import { type Load, pushLoad } from "./pushing.ts";

process.once("message", async (load: Load) => {
  let told = 0;
  const pushed = await pushLoad(load, (sessions) => {
    if (sessions - told < Math.max(1, (load.to - load.from) / 500)) return;
    told = sessions;
    process.send?.({ sessions });
  });
  process.send?.({ pushed }, () => process.exit(0));
});
process.once("disconnect", () => process.exit(0));
