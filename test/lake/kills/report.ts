import type { Event } from './events.ts'
import type { Wait } from './roaming-client.ts'

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

function quantilesOf(waits: readonly number[]): string {
  const sorted = waits.toSorted((a, b) => a - b)
  const [p50, p95, max] = [quantile(sorted, 0.5), quantile(sorted, 0.95), sorted.at(-1) ?? 0].map((ms) => ms / 1_000)
  return `p50 ${p50?.toFixed(2)}, p95 ${p95?.toFixed(2)}, max ${max?.toFixed(2)}`
}

/** What has happened, and what was not as it should be. */
export class Report {
  readonly faults: string[] = []
  private readonly waits = new Map<string, Wait[]>()
  private readonly notes = new Map<string, number>()
  private kills = 0
  private pauses = 0

  /** @param wait the longest of requests that were refused or not answered at first */
  add({ name, kills, pauses }: Event, wait: Wait): void {
    this.kills += kills
    this.pauses += pauses
    this.waits.set(name, [...(this.waits.get(name) ?? []), wait])
  }

  get passed(): number {
    return [...this.waits.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /** What a node has logged as an error. */
  note(line: string): void {
    const known = line.replaceAll(/"(time|node)":"[^"]*",?|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\d+/g, '').slice(0, 600)
    if (!this.notes.has(known)) console.log(`  noted: ${line.slice(0, 1_500)}`)
    this.notes.set(known, (this.notes.get(known) ?? 0) + 1)
  }

  addFaults(faults: readonly string[]): void {
    for (const fault of faults.slice(0, 20)) console.log(`  FAULT: ${fault}`)
    this.faults.push(...faults)
  }

  compare(what: string, counts: ReadonlyMap<string, number>, due: ReadonlyMap<string, readonly string[]>): void {
    const wrong = [...due].filter(([project, ids]) => counts.get(project) !== ids.length)
    this.addFaults(wrong.map(([project, ids]) => `${what} ${counts.get(project)} of ${ids.length} calls in ${project}`))
    const total = [...due.values()].reduce((sum, ids) => sum + ids.length, 0)
    console.log(`  ${what} ${total} calls in ${due.size} projects`)
  }

  get line(): string {
    return `${this.kills} kills, ${this.pauses} pauses beyond the lease`
  }

  print(): void {
    console.log(`${this.line}. Longest time for which a request was refused, and until it was answered, in seconds:`)
    for (const [name, waits] of this.waits) {
      const refused = quantilesOf(waits.map(({ refusedMs }) => refusedMs))
      const answered = quantilesOf(waits.map(({ answeredMs }) => answeredMs))
      console.log(`  ${name} (${waits.length}): refused ${refused}; answered ${answered}`)
    }
    for (const [line, count] of this.notes) console.log(`  noted ${count} times: ${line}`)
  }
}
