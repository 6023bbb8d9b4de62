import type { Streams } from '../../requests/index.ts'
import type { Threads } from '../threads/threads.ts'
import type { Traces } from '../traces.ts'

/** The services that these operations are given. */
export interface TracesServices {
  readonly streams: Streams
  readonly threads: Threads
  readonly traceTrees: Traces
}
