import { expect } from 'bun:test'
import { gzipSync } from 'node:zlib'
import type { Random } from '../golden/random.ts'
import type { FuzzApp } from './fuzz-app.ts'

const growthMbMax = 600

interface Body {
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
}

export interface MutatedExports {
  readonly paths: readonly string[]
  readonly projectId: string
  readonly count: number
  readonly someBody: (random: Random) => Body
}

/**
 * Sends exports, some of them compressed. Each is accepted or is the client's error, nothing is
 * logged as an error, and memory stays bounded.
 */
export async function sendMutated(app: FuzzApp, random: Random, options: MutatedExports): Promise<void> {
  const { paths, projectId, count, someBody } = options
  const counts = new Map<string, number>()
  let rssAtQuarter = 0
  for (let i = 0; i < count; i++) {
    const { type, body } = someBody(random)
    const isPacked = random.below(10) === 0
    const answer = await app.send(random.pick(paths), {
      method: 'POST',
      body: isPacked ? new Uint8Array(gzipSync(body)) : body,
      headers: { 'content-type': type, project_id: projectId, ...(isPacked && { 'content-encoding': 'gzip' }) },
    })
    const text = await answer.text()
    const name = `${answer.status} ${type}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (![200, 400, 413].includes(answer.status)) {
      throw new Error(`${name}: ${body.toBase64()}\n${text}\n${app.errors.at(-1)}`)
    }
    if (i === Math.floor(count / 4)) rssAtQuarter = residentMb()
  }
  const grownMb = residentMb() - rssAtQuarter
  console.log(Object.fromEntries([...counts].sort()), `grown by ${grownMb.toFixed(0)} MB after the first quarter`)
  expect(grownMb).toBeLessThan(growthMbMax)
  expect(app.errors).toEqual([])
}

/** The lines of an answer to a question about a project. */
export async function linesOf(app: FuzzApp, path: string, projectId: string): Promise<unknown[]> {
  const answer = await app.send(path, {
    method: 'POST',
    body: JSON.stringify({ project_id: projectId }),
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(200)
  const lines = (await answer.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as unknown)
}

function residentMb(): number {
  Bun.gc(true)
  return process.memoryUsage().rss / 1e6
}
