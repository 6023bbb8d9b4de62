import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DamagedCommit, readCommit } from './commit-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'commit-file-'))
afterAll(() => rm(folder, { recursive: true }))

test.each([
  ['is empty', ''],
  ['is not JSON', '{"add":'],
  ['is no object', '{"commitInfo":{}}\n7'],
  ['has a schema that is not JSON', '{"metaData":{"schemaString":"{\\"fields\\":["}}'],
  ['has no schema', '{"metaData":{"schemaStrinf":"{}"}}'],
  ['adds a file without a path', '{"add":{"pati":"part.parquet"}}'],
  ['adds a file without a time', '{"add":{"path":"part.parquet","modificationTkme":1}}'],
  ['has statistics that are not JSON', '{"add":{"path":"part.parquet","modificationTime":1,"stats":"{"}}'],
  ['removes a file without a path', '{"remove":{}}'],
])('a commit that %s is damaged', async (_what, text) => {
  const file = join(folder, 'commit.json')
  await writeFile(file, text)
  expect(readCommit(file)).rejects.toBeInstanceOf(DamagedCommit)
})
