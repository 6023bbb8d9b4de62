import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandChild, runCommand } from '../cli/command.ts'
import type { Client } from '../conformance/support/client.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { Random, seedOr } from '../store/random.ts'
import { ContentWorkload } from './content-workload.ts'
import { crashRounds } from './crash-rounds.ts'
import { ServerChild } from './server-child.ts'

const rounds = crashRounds({ each: 8 })
const adminKey = 'c'.repeat(40)
const seed = seedOr(Math.floor(Math.random() * 2 ** 31))

/** Sends calls until told to stop, and records those that were acknowledged. */
class Calls {
  readonly acknowledged: string[] = []
  private isEnded = false
  private running: Promise<void> = Promise.resolve()

  begin(client: Client): void {
    this.running = this.send(client)
  }

  async end(): Promise<void> {
    this.isEnded = true
    await this.running
  }

  private async send(client: Client): Promise<void> {
    for (let i = 0; !this.isEnded; i++) {
      const ended = Array.from({ length: 20 }, (_, n) => ({
        ...this.call(`call-${i}-${n}`),
        ended_at: '2024-05-01T10:00:01Z',
        output: null,
        summary: {},
      }))
      await this.post(client, '/v2/crash/calls/calls/complete', { batch: ended })
      this.acknowledged.push(...ended.map(({ id }) => id))
      // Flushes retain incomplete rows.
      const start = this.call(`open-${i}`)
      await this.post(client, '/call/start', { start })
      this.acknowledged.push(start.id)
    }
  }

  private call(id: string) {
    const times = { started_at: '2024-05-01T10:00:00Z', trace_id: `trace-${id}` }
    return {
      project_id: 'crash/calls',
      id,
      op_name: 'answer',
      attributes: {},
      inputs: { text: 'x'.repeat(200) },
      ...times,
    }
  }

  private async post(client: Client, path: string, body: unknown): Promise<void> {
    const answer = await client.post(path, body)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
  }
}

test(
  `backups of a running server survive ${rounds} kills (TRACELAKE_TEST_SEED=${seed})`,
  async () => {
    const parent = await makeTempFolder()
    const [data, to] = [join(parent, 'data'), join(parent, 'backup')]
    const random = new Random(seed)
    const server = new ServerChild({ kind: 'flushing', data, adminKey })
    const calls = new Calls()
    const contents = new ContentWorkload('w', new Random(seed))
    try {
      const client = await server.listening()
      server.beginFlushing()
      calls.begin(client)
      const loading = contents.run(client)
      let backedUp: string[] = []
      /** How long the last backup took; kills are spread over this time. */
      let tookMs = 1_500
      for (let round = 0; round < rounds; round++) {
        const killed = new CommandChild(backupWords(data, to, random))
        await Bun.sleep(random.between(100, tookMs))
        const wasRunning = await killed.kill()
        if (backedUp.length > 0) expect(await missingIn(to, backedUp)).toEqual([])
        // Once everything is there it is a backup, even if obsolete files were still being removed.
        else if (wasRunning && existsSync(join(to, 'backup-unfinished.json')))
          expect(await opens(to, parent)).toBe(false)
        backedUp = [...calls.acknowledged]
        const beganMs = performance.now()
        const { err, code } = await runCommand(...backupWords(data, to, random))
        tookMs = performance.now() - beganMs
        expect({ code, err }).toMatchObject({ code: 0 })
        expect(await missingIn(to, backedUp)).toEqual([])
        expect(await faultsOf(to)).toEqual([])
        // The folder that the server is writing to, too.
        expect(await faultsOf(data)).toEqual([])
      }
      await calls.end()
      await server.kill()
      await loading
      expect(await runCommand('backup', '--data', data, '--to', to)).toMatchObject({ code: 0 })
      const restored = join(parent, 'restored')
      await cp(to, restored, { recursive: true })
      const second = new ServerChild({ kind: 'plain', data: restored, adminKey })
      try {
        expect(await contents.faults(await second.listening())).toEqual([])
        expect(await second.stop()).toBe(0)
      } finally {
        await second.kill()
      }
      expect(await missingIn(restored, calls.acknowledged)).toEqual([])
      expect(contents.acknowledged).toBeGreaterThan(0)
    } finally {
      await calls.end()
      await server.kill()
    }
    await removeFolder(parent)
  },
  rounds * 120_000,
)

const backupWords = (data: string, to: string, random: Random): string[] => [
  'backup',
  ...['--data', data, '--to', to],
  ...(random.chance(0.5) ? ['--copy'] : []),
]

/** The faults that `verify` reports for a folder, one per line. */
async function faultsOf(folder: string): Promise<string[]> {
  const { out, err, code } = await runCommand('verify', '--data', folder)
  if (code !== 0 && !/: found (1 problem|\d+ problems)\n$/.test(err)) throw new Error(err)
  return code === 0 ? [] : out.trimEnd().split('\n')
}

/** Ids of calls that a folder lacks or has twice. */
async function missingIn(folder: string, ids: readonly string[]): Promise<string[]> {
  const { out, err, code } = await runCommand('sql', 'SELECT id FROM calls', '--data', folder, '--format', 'csv')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const found = out.trimEnd().split('\n').slice(1)
  const distinct = new Set(found)
  expect(found).toHaveLength(distinct.size)
  return ids.filter((id) => !distinct.has(id))
}

/** Whether a server starts on a copy of the folder. */
async function opens(folder: string, parent: string): Promise<boolean> {
  // It does not contain anything yet that looks like a backup.
  if (!existsSync(join(folder, 'tables'))) return false
  const copy = join(parent, 'copy')
  await cp(folder, copy, { recursive: true })
  const server = new ServerChild({ kind: 'plain', data: copy, adminKey })
  try {
    await server.listening()
    return true
  } catch (cause) {
    expect(String(cause)).toContain('is an incomplete backup or copy')
    return false
  } finally {
    await server.kill()
    await removeFolder(copy)
  }
}
