import type { Streams } from '../../requests/index.ts'
import type { Calls } from '../calls.ts'
import type { FieldFinder } from '../exploration/call-fields.ts'
import type { CallSearcher } from '../exploration/call-search.ts'
import type { ValueCounter } from '../exploration/call-values.ts'
import type { LiveCalls } from '../live/live-calls.ts'
import type { Messages } from '../messages/messages.ts'
import type { Payloads } from '../payloads/payloads.ts'

/** The services that these operations are given. */
export interface CallsServices {
  readonly callFields: FieldFinder
  readonly callSearch: CallSearcher
  readonly callValues: ValueCounter
  readonly calls: Calls
  readonly live: LiveCalls
  readonly messages: Messages
  readonly payloads: Payloads
  readonly streams: Streams
}
