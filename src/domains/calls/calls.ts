import type { OutputNames } from '../../query/call-output.ts'
import { CallReader, type ReadDependencies } from './read-calls.ts'
import type { CallWriter } from './write-calls.ts'

/** Writing and querying traced calls. */
export class Calls {
  readonly writer: CallWriter
  readonly reader: CallReader

  private readonly dependencies: ReadDependencies

  constructor(dependencies: ReadDependencies, writer: CallWriter) {
    this.dependencies = dependencies
    this.writer = writer
    this.reader = new CallReader(dependencies)
  }

  /** The same calls, answered in other names. */
  inNames(dialect: OutputNames): Calls {
    return new Calls({ ...this.dependencies, dialect }, this.writer)
  }
}
