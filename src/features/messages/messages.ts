import { DomainError, quoted } from '../../errors.ts'
import type { ProjectReader } from '../../foundation/access/caller.ts'
import { limits } from '../../limits.ts'
import { normaliseMessages } from '../../mapping/messages/normalise.ts'
import type { CallMessages } from '../../model/messages.ts'
import { compilePayload } from '../../query/sql/payload.ts'
import type { Store } from '../../store/store.ts'
import { callsTable } from '../../tables/calls-table.ts'

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
      const sql = compilePayload({ projectId, callId, calls }, limits.messagesPayloadCharsMax)
      const [row] = await snapshot.rows(sql)
      if (row === undefined) {
        throw new DomainError(
          'NotFound',
          `Read the messages of call ${quoted(callId)}: it does not exist in the project`,
        )
      }
      const [inputs, output, attributes, summary, isCut] = row as [...(string | null)[], number]
      const found = normaliseMessages({
        inputs: inputs as string | null,
        output: output as string | null,
        attributes: attributes as string | null,
        summary: summary as string | null,
      })
      return { ...found, is_truncated: found.is_truncated || isCut === 1 }
    })
  }
}
