/** Waits until a condition holds. @throws Error after half a minute */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isSo()); waited += 100) {
    if (waited > 30_000) throw new Error('it did not come to pass')
    await Bun.sleep(100)
  }
}
