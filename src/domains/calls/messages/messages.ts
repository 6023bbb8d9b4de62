import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { normaliseMessages } from '../../../formats/mapping/messages/normalise.ts'
import type { CallMessages } from '../../../formats/schemas/messages.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { rowShape } from '../../../lib/typed-rows.ts'
import { compilePayload } from '../../../query/sql/payload.ts'
import type { ProjectReader } from '../../access/index.ts'

/** The answer of `compilePayload`. */
const payloadShape = rowShape({
  inputs: 'json?',
  output: 'json?',
  attributes: 'json?',
  summary: 'json?',
  is_cut: 'integer',
})

/** Conversations in the payloads of calls. */
export class Messages {
  private readonly store: Store

  constructor({ store }: { store: Store }) {
    this.store = store
  }

  /** @throws DomainError NotFound */
  async ofCall({ projectId }: ProjectReader, callId: string, signal: AbortSignal): Promise<CallMessages> {
    return await this.store.read([callsTable.name], { projectId, signal }, async (snapshot) => {
      const calls = await snapshot.relationWhere(callsTable.name, { id: [callId] })
      const sql = compilePayload({ projectId, callId, calls }, explorationLimits.messagesPayloadCharsMax)
      const [row] = await snapshot.rows({ ...sql, shape: payloadShape })
      if (row === undefined) {
        throw new DomainError(
          'NotFound',
          `Cannot read the messages of call ${quoted(callId)}: it does not exist in the project`,
        )
      }
      const { is_cut: isCut, ...payload } = row
      const found = normaliseMessages(payload)
      return { ...found, is_truncated: found.is_truncated || isCut === 1 }
    })
  }
}
