import type { Report } from './report.ts'
import type { Canary } from './files/faulty-disk.ts'
import { KilledFolder } from './server/kills.ts'
import { FaultRound } from './store/faults.ts'

export interface RoundOptions {
  readonly isOver: () => boolean
  readonly canary: Canary | undefined
}

/** A kind of torture. */
export interface Section {
  readonly what: string
  /** One round, which depends on its seed alone. */
  round(seed: number, report: Report, options: RoundOptions): Promise<void>
}

export const sections: Readonly<Record<string, Section>> = {
  faults: {
    what: 'failing operations, kills and power losses of a store in this process',
    round: (seed, report, { canary }) => new FaultRound(seed, report, canary).run(),
  },
  kills: {
    what: 'SIGKILL of a server under four writers: after a time, during the start, at a file operation',
    round: (seed, report, { isOver }) => new KilledFolder(seed, report).run(isOver),
  },
}
