import type { Streams } from '../../requests/streams.ts'
import type { Costs } from '../costs.ts'

/** The services that these operations are given. */
export interface CostsServices {
  readonly costs: Costs
  readonly streams: Streams
}
