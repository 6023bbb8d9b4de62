import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { backUp } from '../../src/engine/backup/backup.ts'
import { referrersFirst } from '../../src/engine/tables/tables.ts'
import { retentionLimits } from '../../src/lib/limits/retention.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { systemClock } from '../../src/runtime/platform/clock.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { queryDuckDb } from '../store/folder-state.ts'
import { ErasureApp } from './erasure-app.ts'
import { filesWithMarker } from './marker-search.ts'
import { writeCall, writeRecords, writeTelemetry } from './write-marker.ts'

const dayMs = 86_400_000
/** Several steps between two sweeps, as there are many checks between them. */
const stepMs = 1_800_000
const newMarker = (): string => `mark${crypto.randomUUID().replaceAll('-', '')}`

const backUpTo = (dataFolder: string, to: string) =>
  backUp({
    dataFolder,
    to,
    tableNames: referrersFirst.map(({ name }) => name),
    rootFiles: [],
    mayLink: true,
    memoryBytesMax: 256e6,
    clock: systemClock,
    onProgress: () => {},
  })

/** The tables, and `blobs`, with files that contain the marker. */
const placesOf = (files: readonly string[]): string[] =>
  [...new Set(files.map((file) => file.split('/')[file.startsWith('tables/') ? 1 : 0]!))].sort()

/** No entry of the audit log has a marker anywhere but in ids that a request named. */
async function onlyIdsInAudit(folder: string, markers: readonly string[]): Promise<void> {
  const rows = `SELECT t::VARCHAR AS text FROM (SELECT * EXCLUDE (item_ids) FROM '${join(folder, 'tables/audit/*.parquet')}') t`
  const entries = await queryDuckDb(rows)
  for (const marker of markers) for (const { text } of entries) expect(text).not.toContain(marker)
}

test('erased bytes are in no file of the data folder and of later backups', async () => {
  await using app = await ErasureApp.open()
  const backups = await makeTempFolder()
  const [erased, deleted, expired, kept] = [newMarker(), newMarker(), newMarker(), newMarker()]
  const now = new Date().toISOString()
  const gone = { project_id: 'acme/gone', marker: erased }
  const other = { project_id: 'acme/other' }
  await writeTelemetry(app, gone, now)
  await writeRecords(app, gone)
  await writeTelemetry(app, { ...other, marker: expired, spanName: 'kept' }, now)
  await writeRecords(app, { ...other, marker: kept })
  const call = await writeCall(app, { ...other, marker: deleted }, now)
  await app.post('/flush', {})
  await app.context.store.compact()
  // Some of it is in memory and in the write-ahead log only.
  const more = newMarker()
  await writeTelemetry(app, { ...gone, marker: more }, now)
  await backUpTo(app.folder, join(backups, 'repeated'))

  const tables = ['calls', 'costs', 'feedback', 'files', 'idempotency_keys', 'logs', 'metrics', 'objects', 'rules']
  const found = placesOf(await filesWithMarker(app.folder, erased))
  for (const place of ['blobs', 'annotation_queues', 'annotation_queue_items', 'table_rows', ...tables])
    expect(found).toContain(place)
  expect(placesOf(await filesWithMarker(app.folder, more))).toContain('calls')
  expect(placesOf(await filesWithMarker(app.folder, expired))).toContain('logs')
  expect(placesOf(await filesWithMarker(app.folder, deleted))).toEqual(['calls'])
  expect(placesOf(await filesWithMarker(join(backups, 'repeated'), erased))).toContain('calls')

  await app.post('/calls/delete', { project_id: other.project_id, call_ids: [call] })
  await app.post('/projects/erase', { project_id: gone.project_id })
  for (let state = 'running'; state === 'running'; await Bun.sleep(100)) {
    const { erasures } = await app.post<{ erasures: { state: string; error: string | null }[] }>('/erasures/query', {})
    expect(erasures).toMatchObject([{ error: null }])
    state = erasures[0]!.state
  }
  await app.advance(8 * dayMs)
  await app.post('/retention/set', { project_id: other.project_id, retention_days: 7 })
  const leftIn = async (folder: string) => {
    const left: Record<string, string[]> = {}
    for (const [name, marker] of Object.entries({ erased, more, deleted, expired })) {
      // The audit log keeps names of projects and ids, which contain the marker here.
      const files = (await filesWithMarker(folder, marker)).filter((file) => !file.startsWith('tables/audit/'))
      if (files.length > 0) left[name] = files
    }
    return left
  }
  const withinMs = retentionLimits.erasedWithinMs + storageLimits.replacedFilesKeptMs
  for (let passedMs = 0; passedMs < withinMs; passedMs += stepMs) await app.advance(stepMs)
  // Each step takes about a second of real time, which may be too short for the work on a busy
  // machine. Waiting adds less than two minutes to the simulated time.
  for (let waits = 0; waits < 60 && Object.keys(await leftIn(app.folder)).length > 0; waits++) await app.advance(1_000)
  expect(await leftIn(app.folder)).toEqual({})
  await onlyIdsInAudit(app.folder, [erased, more, deleted, expired])
  expect(placesOf(await filesWithMarker(app.folder, kept))).toContain('objects')

  for (const name of ['repeated', 'new']) {
    await backUpTo(app.folder, join(backups, name))
    expect(await leftIn(join(backups, name))).toEqual({})
  }
  await removeFolder(backups)
}, 300_000)
