import { setLabels } from '../objects/labels.ts'
import type { ImportRecord } from '../record.ts'
import type { ServerClient } from '../sender/server-client.ts'
import type { Copies } from './copies.ts'
import type { RefRewriter } from './ref-rewriter.ts'

const pageSize = 100

interface Version {
  readonly object_id: string
  readonly digest: string
  readonly val: unknown
  readonly tags?: readonly string[] | null
  readonly aliases?: readonly string[] | null
}

/** All versions of objects and ops, the oldest first: refs lead to older ones. */
export async function* weaveObjects(
  from: ServerClient,
  refs: RefRewriter,
  copies: Copies,
): AsyncGenerator<ImportRecord> {
  for (let offset = 0; ; offset += pageSize) {
    const reply = (await from.post('/objs/query', {
      project_id: from.project,
      filter: { latest_only: false },
      include_tags_and_aliases: true,
      sort_by: [{ field: 'created_at', direction: 'asc' }],
      limit: pageSize,
      offset,
    })) as { objs: Version[] }
    for (const version of reply.objs) {
      yield* copies.neededBy(version.val)
      yield objectRecord(version, refs)
    }
    if (reply.objs.length < pageSize) return
  }
}

const objectRecord = ({ object_id, digest, val, tags, aliases }: Version, refs: RefRewriter): ImportRecord => ({
  kind: 'request',
  what: 'object versions',
  name: `${object_id}:${digest}`,
  async send(target) {
    const rewritten = refs.rewrite(val)
    const isSame = JSON.stringify(rewritten) === JSON.stringify(val)
    const obj = { project_id: target.project, object_id, val: rewritten, ...(isSame && { expected_digest: digest }) }
    const reply = (await target.post('/obj/create', { obj })) as { digest: string }
    refs.noteDigest('object', object_id, digest, reply.digest)
    await setLabels(target, object_id, reply.digest, { tags: tags ?? [], aliases: aliases ?? [] })
  },
})
