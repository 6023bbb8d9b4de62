import { CallReader, type ReadDependencies } from './read-calls.ts'
import { CallWriter, type WriteDependencies } from './write-calls.ts'

/** Writing and querying traced calls. */
export class Calls {
  readonly writer: CallWriter
  readonly reader: CallReader

  constructor(dependencies: WriteDependencies & ReadDependencies) {
    this.writer = new CallWriter(dependencies)
    this.reader = new CallReader(dependencies)
  }
}
