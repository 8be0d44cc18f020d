/** Before each file of tests that needs the real programs: waits while they are being installed. */
import { INSTALLING, isInstalled } from "./installing.ts";

const LOOK_AGAIN_MS = 200;

while (!isInstalled()) {
  if (process.env[INSTALLING] === undefined)
    throw new Error("The real programs are not installed; run: node test/real/install.ts");
  await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
}
