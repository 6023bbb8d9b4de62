import { test } from 'bun:test'
import { join } from 'node:path'
import process from 'node:process'
import { expectDemoToWork } from './demo.ts'

const repository = join(import.meta.dir, '../..')
const isExecutable = process.env['TRACELAKE_TEST_RUNTIME'] === 'executable'

test.skipIf(!isExecutable)(
  'the executable shows a demo and removes it again',
  () => expectDemoToWork([join(repository, 'dist/tracelake')], repository),
  120_000,
)
