import { KeyedMutex } from '../../lib/keyed-mutex.ts'
import type { OutputNames } from '../../query/call-output.ts'
import { type Clock, MonotonicClock } from '../../runtime/platform/clock.ts'
import { AnnotationProgress } from './annotation-progress.ts'
import type { QueueDependencies } from './dependencies.ts'
import { QueueItems } from './queue-items.ts'
import { Queues } from './queues.ts'

/** Lists of calls for people to review one by one, with their progress. */
export class AnnotationQueues {
  readonly queues: Queues
  readonly items: QueueItems
  readonly progress: AnnotationProgress

  private readonly deps: QueueDependencies

  private constructor(deps: QueueDependencies) {
    this.deps = deps
    this.queues = new Queues(deps)
    this.items = new QueueItems(deps, this.queues)
    this.progress = new AnnotationProgress(deps, this.queues, this.items)
  }

  static over({
    clock,
    ...options
  }: Omit<QueueDependencies, 'clock' | 'locks'> & { readonly clock: Clock }): AnnotationQueues {
    return new AnnotationQueues({ ...options, clock: new MonotonicClock(clock), locks: new KeyedMutex() })
  }

  /** The same queues, answered in other names. */
  inNames(dialect: OutputNames): AnnotationQueues {
    return new AnnotationQueues({ ...this.deps, dialect })
  }
}
