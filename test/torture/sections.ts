import type { Canary } from './files/faulty-disk.ts'
import type { Report } from './report.ts'
import { canMount, FullDisk } from './server/full-disk.ts'
import { KilledFolder } from './server/kills.ts'
import { DamageRound } from './store/damage.ts'
import { FaultRound } from './store/faults.ts'
import { KilledStore } from './store/killed-store.ts'
import { ModelRound } from './store/model.ts'

interface RoundOptions {
  readonly isOver: () => boolean
  readonly canary: Canary | undefined
}

/** A kind of torture. */
export interface Section {
  readonly what: string
  /** Whether this machine allows it; by default it does. */
  isPossible?(): boolean
  /** One round, which depends on its seed alone. */
  round(seed: number, report: Report, options: RoundOptions): Promise<void>
}

export const sections: Readonly<Record<string, Section>> = {
  faults: {
    what: 'failing operations, kills and power losses of a store in this process',
    round: (seed, report, { canary }) => new FaultRound(seed, report, canary).run(),
  },
  model: {
    what: 'random sequences of everything a store does, compared with an oracle after every step',
    round: (seed, report) => new ModelRound(seed, report).run(),
  },
  damage: {
    what: 'flipped bits, zeroed sectors, cut, emptied and removed files',
    round: (seed, report) => new DamageRound(seed, report).run(),
  },
  processes: {
    what: 'SIGKILL of a process that writes to a store: after a time, at a file operation',
    round: (seed, report, { isOver }) => new KilledStore(seed, report).run(isOver),
  },
  kills: {
    what: 'SIGKILL of a server under four writers: after a time, during the start, at a file operation',
    round: (seed, report, { isOver }) => new KilledFolder(seed, report).run(isOver),
  },
  disk: {
    what: 'a real server on a small disk that fills up and is cleared (needs root on Linux)',
    isPossible: canMount,
    round: (seed, report) => new FullDisk(seed, report).run(),
  },
}
