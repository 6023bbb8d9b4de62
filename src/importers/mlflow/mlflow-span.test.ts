import { expect, test } from 'bun:test'
import { mlflowSpan } from './mlflow.ts'

const facts = {
  origin: { source: 'mlflow', version: '1', file: 'a.db' },
  experiment: 'a',
  session: null,
  tags: {},
  metadata: {},
}

const idsOf = (span_id: string, trace_id: string) => {
  const record = mlflowSpan(JSON.stringify({ span_id, trace_id, parent_span_id: null }), facts)
  return record.kind === 'telemetry' ? [record.item['spanId'], record.item['traceId']] : []
}

test('ids are base64, even if that begins with 0x, or hexadecimal with a prefix', () => {
  const span = Uint8Array.fromBase64('0xzZ/zKhMQE=').toHex()
  const trace = Uint8Array.fromBase64('0x589Ne+LccLdquRb+bOiA==').toHex()
  expect(idsOf('0xzZ/zKhMQE=', '0x589Ne+LccLdquRb+bOiA==')).toEqual([span, trace])
  expect(idsOf(`0x${span}`, `tr-${trace}`)).toEqual([span, trace])
  expect(idsOf(span, trace)).toEqual([span, trace])
})
