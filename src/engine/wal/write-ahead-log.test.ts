import { expect, test } from 'bun:test'
import { notesTable } from '../../../test/store/notes-table.ts'
import { refuseToWait, waiting, withoutWaiting } from '../../runtime/platform/without-waiting.ts'
import { BatchCodec } from './batch-codec.ts'
import type { LogStorage } from './log-storage.ts'
import { WriteAheadLog } from './write-ahead-log.ts'

const storage: LogStorage = {
  application: 'test',
  isFull: false,
  isLong: false,
  failure: undefined,
  gatheringMs: 0,
  append: async () => {},
  rotate: async () => 1,
  removeThrough: async () => {},
  probe: async () => {},
  close: async () => {},
}

test('a task between two commits waits as its caller does, whoever has begun to write', async () => {
  const log = new WriteAheadLog(storage, new BatchCodec(notesTable), () => {})
  const task = async () => withoutWaiting(refuseToWait)
  const others = log.exclusively(async () => {})
  await expect(waiting(() => log.exclusively(task))).resolves.toBeUndefined()
  await others
  const mayWait = waiting(() => log.exclusively(async () => {}))
  await expect(log.exclusively(task)).rejects.toThrow('has to be fetched first')
  await mayWait
})
