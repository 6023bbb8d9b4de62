import { expect, test } from 'bun:test'
import { Database } from './database.ts'
import { ReaderPool } from './reader-pool.ts'

test('owners get readers one after the other, and who leaves loses its turn', async () => {
  const database = await Database.open({ memoryBytesMax: 64e6, temporaryFolder: '' })
  const pool = new ReaderPool(database, { readersMax: 1, waitingMax: 9 })
  const first = await pool.acquire(undefined, 'busy')
  const order: string[] = []
  const wait = async (name: string, owner: string, signal?: AbortSignal) => {
    const reader = await pool.acquire(signal, owner)
    order.push(name)
    pool.release(reader)
  }
  const left = new AbortController()
  const leaving = wait('other 1', 'other', left.signal)
  const staying = [wait('busy 1', 'busy'), wait('busy 2', 'busy'), wait('busy 3', 'busy'), wait('other 2', 'other')]
  expect(pool.stats).toEqual({ busy: 1, waiting: 5 })
  left.abort()
  await expect(leaving).rejects.toMatchObject({ type: 'RequestCancelled' })
  expect(pool.stats).toEqual({ busy: 1, waiting: 4 })
  pool.release(first)
  await Promise.all(staying)
  expect(order.indexOf('other 2')).toBeLessThan(order.indexOf('busy 2'))
  expect(order).toHaveLength(4)
  pool.close()
  database.close()
})
