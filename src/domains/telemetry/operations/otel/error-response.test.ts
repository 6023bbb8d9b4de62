import { expect, test } from 'bun:test'
import { grpcCodeOf } from './error-response.ts'

test('exporters repeat over gRPC what they repeat over HTTP', () => {
  const [resourceExhausted, unavailable, deadlineExceeded] = [8, 14, 4]
  expect([429, 502, 503, 504].map(grpcCodeOf)).toEqual([resourceExhausted, unavailable, unavailable, deadlineExceeded])
})
