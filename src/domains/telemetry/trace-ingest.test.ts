import { expect, test } from 'bun:test'
import { callsTable } from '../../engine/tables/calls-table.ts'
import type { Row } from '../../lib/table.ts'
import { Caller } from '../access/caller.ts'
import { SpanBatch } from '../calls/span-batch.ts'
import { TraceIngest, type TraceIngestDependencies } from './trace-ingest.ts'

const { at } = callsTable
const caller = new Caller({ userId: 'u', userName: 'u', role: 'write', scope: '*' })
const traceId = 'a'.repeat(32)
const [outer, inner] = ['1'.repeat(16), '2'.repeat(16)]

const spanIn = (spanId: string, parentSpanId: string) => ({
  traceId,
  spanId,
  parentSpanId,
  name: 'chat',
  startTimeUnixNano: '1700000000000000000',
  endTimeUnixNano: '1700000001000000000',
  attributes: [{ key: 'gen_ai.conversation.id', value: { stringValue: 'talk' } }],
})

const exportOf = (span: unknown) => ({
  bytes: new TextEncoder().encode(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })),
  encoding: 'json' as const,
  project: 'e/p',
})

test('an export whose ops take long does not undo the turns of one that overtakes it', async () => {
  const stored: Row[] = []
  const waits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let named = 0
  const options = (writer: unknown) => ({ writer, redact: false, userId: 'u', nowMs: 1, contents: undefined })
  const ingest = new TraceIngest({
    redact: false,
    calls: {
      spans: () => new SpanBatch({ optionsOf: options as never, write: async (parts) => void stored.push(...parts) }),
    },
    ops: { placeholderDigest: '', name: () => waits[named++]!.promise },
    intake: { accepts: () => false },
  } as unknown as TraceIngestDependencies)
  const slow = ingest.store(caller, exportOf(spanIn(inner, outer)))
  const quick = ingest.store(caller, exportOf(spanIn(outer, '')))
  waits[1]!.resolve()
  await quick
  waits[0]!.resolve()
  await slow
  const turnOfInner = stored.filter((row) => row[at.id] === inner).map((row) => row[at.turn_id])
  expect(turnOfInner.findLast((turn) => turn !== null) ?? null).not.toBe(inner)
})
