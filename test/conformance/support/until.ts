/** Waits until something holds; the time limit of the test bounds it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(20)
}
