/** One of so many rows is sampled. */
const stride = 64
/** How many samples, of how many at least, count as recent. */
const recentSamples = 64
const samplesMin = 4 * recentSamples

/**
 * A sample of the times of the rows that a memtable took in, by project. It tells where to begin to
 * look for the newest rows; what is found does not depend on it. See
 * docs/decisions/300-newest-rows-in-memory.md.
 */
export class RecentTimes {
  private rows = 0
  private readonly samples = new Map<string, number[]>()

  /** Takes note of a row; `read` is called for some of them. */
  note(read: () => { project: string; micros: number | null }): void {
    if (this.rows++ % stride !== 0) return
    const { project, micros } = read()
    if (micros === null) return
    const known = this.samples.get(project)
    if (known === undefined) this.samples.set(project, [micros])
    else known.push(micros)
  }

  /**
   * A time after which some thousands of the rows of a project are, but only a part of all;
   * undefined if there are too few rows.
   */
  since(project: string): number | undefined {
    const samples = this.samples.get(project)
    if (samples === undefined || samples.length < samplesMin) return undefined
    const ascending = Float64Array.from(samples).sort()
    return ascending[ascending.length - recentSamples]
  }
}
