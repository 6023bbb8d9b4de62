import { expect, test } from 'bun:test'
import { join } from 'node:path'
import process from 'node:process'
import { seedOr } from '../store/random.ts'
import { canaries } from './files/faulty-disk.ts'

const repository = join(import.meta.dir, '../..')
const timeoutMs = 300_000

/** A short run, in a process of its own: the disk is put under the program before it is loaded. */
async function torture(...words: string[]): Promise<{ exitCode: number; output: string }> {
  const program = ['--preload', './test/torture/files/install-program.ts', 'test/torture/main.ts']
  const child = Bun.spawn([process.execPath, ...program, ...words], { cwd: repository, stdout: 'pipe', stderr: 'pipe' })
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { exitCode: await child.exited, output: output + errors }
}

test.each(['faults', 'model', 'damage'])(
  'a short run of "%s" finds nothing',
  async (section) => {
    const seed = String(seedOr(20_261_123))
    const { exitCode, output } = await torture('--only', section, '--seed', seed, '--count', '1')
    expect(output).toContain('1 passed, 0 failed')
    expect(exitCode).toBe(0)
  },
  timeoutMs,
)

test(
  'rows that a failed sync has lost are not read after a restart and then lost in a power loss',
  async () => {
    const { exitCode, output } = await torture('--only', 'faults', '--seed', '622950820', '--count', '1')
    expect(output).toContain('1 passed, 0 failed')
    expect(exitCode).toBe(0)
  },
  timeoutMs,
)

test.each(canaries)(
  'the torture finds a disk with the deliberate fault "%s"',
  async (canary) => {
    const { exitCode, output } = await torture('--only', 'faults', '--seed', '100', '--count', '20', '--canary', canary)
    expect(output).toContain(`--canary ${canary}`)
    expect(exitCode).toBe(1)
  },
  timeoutMs,
)

test('a section that does not exist is refused', async () => {
  const { exitCode, output } = await torture('--only', 'other')
  expect(output).toContain('There is no section "other". Sections: faults, model, damage, processes, kills, disk')
  expect(exitCode).toBe(2)
})
