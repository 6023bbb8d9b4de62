import { expect, test } from 'bun:test'
import { prepareSpans } from '../../src/domains/calls/intake/prepare.ts'
import { telemetryLimits } from '../../src/lib/limits/telemetry.ts'
import { exportOf, groupOf, spanOf, toProtobuf } from '../conformance/support/otlp.ts'

test('the op versions of an export hold, however many there are', () => {
  const version = 'v'.repeat(43)
  const names = ['first', ...Array.from({ length: telemetryLimits.knownOpsMax }, (_, index) => `other ${index}`)]
  const prepared = prepareSpans({
    kind: 'spans',
    bytes: toProtobuf(exportOf(groupOf([spanOf({ name: 'first' })]))),
    encoding: 'protobuf',
    project: 'many/ops',
    entity: undefined,
    userId: 'tester',
    nowMs: 1_700_000_000_000,
    redact: false,
    keepsContents: false,
    dialect: 'weave',
    opVersion: 'w'.repeat(43),
    ops: names.map((name) => ({ projectId: 'many/ops', name, version })),
  })
  expect(prepared?.ops).toEqual([{ projectId: 'many/ops', name: 'first', version }])
})
