import type { Report } from './report.ts'
import { KilledFolder } from './server/kills.ts'

/** A kind of torture. */
export interface Section {
  readonly what: string
  /** One round, which depends on its seed alone. */
  round(seed: number, report: Report, isOver: () => boolean): Promise<void>
}

export const sections: Readonly<Record<string, Section>> = {
  kills: {
    what: 'SIGKILL of a server under four writers: after a time, during the start, at a file operation',
    round: (seed, report, isOver) => new KilledFolder(seed, report).run(isOver),
  },
}
