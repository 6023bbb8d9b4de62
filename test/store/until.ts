/** Waits until a condition holds. @throws Error after a minute and a half */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + 90_000; !(await isSo()); ) {
    if (performance.now() > endMs) throw new Error('it did not come to pass')
    await Bun.sleep(50)
  }
}
