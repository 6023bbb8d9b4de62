import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { faultsOf } from '../cli/damage.ts'
import type { Client } from '../conformance/support/client.ts'
import { upload } from '../conformance/support/files.ts'
import { Project } from '../conformance/support/project.ts'
import { ServerChild } from '../crash/server-child.ts'
import type { Random } from '../store/random.ts'
import { FaultFolder } from './fault-folder.ts'
import { adminKey, type Tally } from './losses.ts'
import { Expectation, Writer } from './workload.ts'

interface Failure {
  readonly what: string
  readonly kind: string
  readonly error: string
  readonly pattern: string
  /** Matches the reported reason. */
  readonly reason: RegExp
}

const full = /disk is full/
const failing = /I\/O errors/
const readOnly = /read-only/
const open = /too many open files/

export const failures: readonly Failure[] = [
  { what: 'a full disk', kind: 'write', error: 'ENOSPC', pattern: '*', reason: full },
  { what: 'a disk without room for new files', kind: 'create', error: 'ENOSPC', pattern: '*', reason: full },
  { what: 'a read-only remount', kind: 'change', error: 'EROFS', pattern: '*', reason: readOnly },
  { what: 'a disk that fails to write', kind: 'write', error: 'EIO', pattern: '*', reason: failing },
  { what: 'a disk that fails to sync', kind: 'fsync', error: 'EIO', pattern: '*', reason: failing },
  {
    what: 'a folder of the log that fails to sync',
    kind: 'fsyncdir',
    error: 'EIO',
    pattern: '*/_wal*',
    reason: failing,
  },
  { what: 'no file handles for new files', kind: 'create', error: 'EMFILE', pattern: '*', reason: open },
]

/** The status of refused writes. */
const refusalOf = ({ reason }: Failure): number => (reason === full ? 507 : 503)

const writers = ['w0', 'w1']
const recoveryMsMax = 60_000

/**
 * A server under load encounters a failure, reports it, continues to serve reads, and recovers by
 * itself when the failure ends.
 */
export async function failingDisk(program: string, failure: Failure, random: Random, tally: Tally): Promise<void> {
  await using folder = await FaultFolder.mount(program)
  const data = join(folder.path, 'data')
  const expected = new Expectation()
  const found: string[] = []
  const demand = (isSo: boolean, what: string) => void (isSo || found.push(what))
  // Flushes continuously, so that failures hit flushes and commits too.
  let server = new ServerChild({ kind: 'flushing', data, adminKey })
  try {
    let client = await server.listening()
    const all = writers.map((name) => new Writer(name, random))
    for (const writer of all) demand((await writer.run(client, expected, 30)) === 30, 'a write failed before')
    server.beginFlushing()
    for (const writer of all) await writer.run(client, expected, 10)
    await folder.fail(failure.kind, failure.error, failure.pattern)
    // An open log segment may not need the failing operation for a while.
    const refused = await Promise.all(all.map((writer) => writer.run(client, expected, 400)))
    demand(
      refused.some((count) => count < 400),
      'no write was refused',
    )
    for (const { lastAnswer } of all) {
      if (lastAnswer?.status === 200) continue
      demand(lastAnswer?.status === refusalOf(failure), `a write was answered ${lastAnswer?.status}`)
      demand(failure.reason.test(lastAnswer?.text ?? ''), `a write was refused with ${lastAnswer?.text}`)
    }
    await demandDuring(client, failure, demand)
    found.push(...(await expected.differences(client, writers)).map((line) => `during the failure: ${line}`))
    await folder.clear()
    demand(await isWellSoon(client), '/health did not recover by itself')
    for (const writer of all) demand((await writer.run(client, expected, 20)) === 20, 'a write failed afterwards')
    await server.kill()
    server = new ServerChild({ kind: 'plain', data, adminKey })
    client = await server.listening()
    found.push(...(await expected.differences(client, writers)))
    demand((await server.stop()) === 0, 'the server did not stop well')
    found.push(...(await faultsOf(data)), ...unnamed(data))
  } catch (cause) {
    found.push(cause instanceof Error ? cause.message : String(cause))
  } finally {
    await server.kill()
  }
  tally(failure.what, found)
}

async function demandDuring(
  client: Client,
  failure: Failure,
  demand: (isSo: boolean, what: string) => void,
): Promise<void> {
  const sent = await upload(new Project(client, 'faults', 'w0'), { content: `content ${failure.what}` })
  const isSaid = sent.status === refusalOf(failure) && failure.reason.test(sent.text)
  // An open log segment may be unaffected by the failure.
  demand(isSaid || sent.status === 200, `an upload was answered ${sent.status}: ${sent.text}`)
  const health = await client.get('/health')
  demand(health.status === 503, `/health was ${health.status} during the failure`)
}

async function isWellSoon(client: Client): Promise<boolean> {
  for (let waited = 0; waited < recoveryMsMax; waited += 250) {
    if ((await client.get('/health')).status === 200) return true
    await Bun.sleep(250)
  }
  return false
}

/** Leftover temporary files, one line each. */
function unnamed(data: string): string[] {
  const names = readdirSync(data, { recursive: true }).map(String)
  return names.filter((name) => name.endsWith('.tmp') && !name.includes('_unfinished')).map((name) => `${name} is left`)
}
