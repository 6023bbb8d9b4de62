import { expect, test } from 'bun:test'
import { callRow } from '../../../../test/store/call-row.ts'
import { StoreBench } from '../../../../test/store/store-bench.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { dialects } from '../../../formats/dialect/dialect.ts'
import type { ProjectReader } from '../../access/caller.ts'
import { CallSearcher } from './call-search.ts'

const rowOf = (projectId: string, hour: number) => callRow(projectId, hour * 3600)

test('a search ends where only other projects have older calls', async () => {
  // So many files would be merged in the background.
  await using bench = await StoreBench.open([callsTable], { isMaintained: false })
  // Files are ordered by time; the bounds of each allow for calls of the project between them.
  for (let hour = 0; hour < 8; hour++) {
    const others = [rowOf('acme/1', hour), rowOf('acme/3', hour)]
    await bench.store.write('calls', hour < 4 ? others : [...others, rowOf('acme/2', hour)])
    await bench.store.flush()
  }
  const searcher = new CallSearcher({ store: bench.store, dialect: dialects.ext })
  const reader = { projectId: 'acme/2' } as ProjectReader
  const question = { project_id: 'acme/2', text: 'nowhere' }
  const found = await searcher.search(reader, question, new AbortController().signal)
  expect(found).toMatchObject({ matches: [], after: null, calls_read: 4, is_partial: false })
})
