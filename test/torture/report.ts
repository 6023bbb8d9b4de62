/** Counts what was tried and what was found, and prints progress. */
export class Report {
  private readonly counts = new Map<string, number>()
  private readonly startedMs = performance.now()
  private shownMs = performance.now()
  failed = 0

  /** Counts something that was tried, for example `kills`. */
  add(what: string, count = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + count)
    if (performance.now() - this.shownMs > 30_000) this.show()
  }

  count(what: string): number {
    return this.counts.get(what) ?? 0
  }

  /** Prints what was found, if anything. @param repeat the command that repeats it */
  check(what: string, faults: readonly string[], repeat: string): void {
    this.add('checks')
    if (faults.length === 0) return
    this.failed++
    console.log(`(fail) ${what}`)
    for (const fault of faults.slice(0, 12)) console.log(`    ${fault}`)
    if (faults.length > 12) console.log(`    and ${faults.length - 12} more`)
    console.log(`    repeat: ${repeat}`)
  }

  /** The counts in one line. */
  get line(): string {
    const seconds = Math.round((performance.now() - this.startedMs) / 1000)
    const counts = [...this.counts].map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
    return `${counts.join(', ')}; ${this.failed} failed; ${seconds} s`
  }

  private show(): void {
    this.shownMs = performance.now()
    console.log(`  … ${this.line}`)
  }
}
