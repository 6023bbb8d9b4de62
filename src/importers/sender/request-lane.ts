import type { RequestRecord } from '../record.ts'
import type { Lane, Prepare } from './lane.ts'
import { RefusedRequest } from './server-client.ts'

/** Records with requests of their own. */
export const prepareRequest: Prepare<'request'> = (record) => ({
  lane,
  what: record.what,
  group: record.name,
  // Each is a batch of its own.
  bytes: Number.POSITIVE_INFINITY,
  encoded: record,
  id: undefined,
})

const lane: Lane = {
  async send(client, [record]) {
    try {
      await (record!.encoded as RequestRecord).send(client)
      return {}
    } catch (error) {
      if (error instanceof RefusedRequest) return { refused: error.message }
      throw error
    }
  },
}
