import { systemOutboundHttp } from '../../runtime/http/outbound-http.ts'
import { ServerClient } from '../sender/server-client.ts'
import type { ImportInput, Source } from '../source.ts'
import { weaveCalls } from './calls.ts'
import { Copies } from './copies.ts'
import { weaveFeedback } from './feedback.ts'
import { weaveObjects } from './objects.ts'
import { weavePrices } from './prices.ts'
import { RefRewriter } from './ref-rewriter.ts'

/** A project of a Weave server, or of a tracelake server in either dialect, over its API. */
export const weave: Source = {
  name: 'weave',
  summary: 'a project of a Weave server over its API (--select entity/project, --source-key)',
  async *parts(input) {
    const from = await connect(input)
    const refs = new RefRewriter(from.project, input.project)
    const copies = new Copies(from, refs)
    // Digests of rewritten objects are known only to the process that has sent them, so objects are
    // always sent.
    const now = String(Date.now())
    yield { name: 'objects', version: now, records: () => weaveObjects(from, refs, copies) }
    yield { name: 'prices', version: '1', records: () => weavePrices(from) }
    yield { name: 'calls', version: '1', records: () => weaveCalls(from, refs, copies) }
    yield { name: 'feedback', version: '1', records: () => weaveFeedback(from, refs) }
  },
}

async function connect({ place, key, select, project }: ImportInput): Promise<ServerClient> {
  if (!/^https?:/.test(place)) throw new Error(`"${place}" is not the address of a Weave server`)
  const from = new ServerClient({ url: place, key, project: select ?? project }, systemOutboundHttp, () => {})
  await from.connect()
  return from
}
