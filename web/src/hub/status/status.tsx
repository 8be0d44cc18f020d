/** How the hub is: what it keeps, what waits to be worked on. For those who run it. */
export function Status() {
  return null;
}
