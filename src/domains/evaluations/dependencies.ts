import type { Dialect } from '../../formats/dialect/dialect.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import type { Calls, CallWork } from '../calls/index.ts'
import type { Feedback } from '../feedback/index.ts'
import type { ObjectBuilder } from '../objects/index.ts'
import type { EvaluationCalls } from './evaluation-calls.ts'
import type { EvaluationResults } from './results/results.ts'

/** Names calls by refs to ops of the project; missing ops are created with a placeholder source. */
export class SavedOps {
  private readonly builder: ObjectBuilder
  private readonly clock: Clock
  /** Refs of ops that existed recently. */
  private readonly known = new BoundedMap<string, { readonly ref: string; readonly untilMs: number }>(
    operationLimits.opNamesMax,
  )

  constructor(builder: ObjectBuilder, clock: Clock) {
    this.builder = builder
    this.clock = clock
  }

  /** `op_name` of a call of the op `name`: a ref to it, created if needed, or the bare name. */
  async nameOf(writer: ProjectWriter, name: string): Promise<string> {
    // A ref may contain a name that is invalid for objects.
    if (!/^[\p{L}\p{N}_.-]+$/u.test(name)) return name
    const key = `${writer.projectId}\n${name}`
    const known = this.known.get(key)
    if (known !== undefined && known.untilMs > this.clock.nowMs()) return known.ref
    const ref = await this.builder.opNamed(writer, name)
    this.known.set(key, { ref, untilMs: this.clock.nowMs() + operationLimits.opNamesKeptMs })
    return ref
  }
}

/** Dependencies shared by the files of this folder. */
export interface EvaluationDependencies {
  readonly calls: Calls
  readonly feedback: Feedback
  readonly clock: Clock
  readonly dialect: Dialect
  readonly ops: SavedOps
  readonly reader: EvaluationCalls
  readonly results: EvaluationResults
  /** Runs executed by the server. */
  readonly work: CallWork
  /** A run has ended. */
  readonly runEnded: (reader: ProjectReader, runId: string) => void
}
