import { afterEach, describe, expect, mock, spyOn, test } from 'bun:test'
import { pino } from 'pino'
import { makeTempFolder, removeFolder } from '../../test/conformance/support/temp-folder.ts'
import { Access } from '../domains/access/access.ts'
import { Logins } from '../domains/access/sessions/logins.ts'
import { ModelCatalog } from '../domains/completions/inference/model-catalog.ts'
import { Jobs } from '../domains/jobs/jobs.ts'
import { Erasures } from '../domains/retention/erasures.ts'
import { Retention } from '../domains/retention/retention.ts'
import { Rules } from '../domains/rules/rules.ts'
import { FolderBlobs } from '../engine/blobs/folder-blobs.ts'
import { loadConfig } from '../runtime/config.ts'
import { openContext } from './context.ts'
import { OpenedParts } from './opened-parts.ts'

afterEach(() => mock.restore())

/** Timers that repeat and have been started but not ended. */
function watchTimers(): Set<unknown> {
  const running = new Set<unknown>()
  const [start, end] = [globalThis.setInterval, globalThis.clearInterval]
  spyOn(globalThis, 'setInterval').mockImplementation(((...given: Parameters<typeof setInterval>) => {
    const timer = start(...given)
    running.add(timer)
    return timer
  }) as typeof setInterval)
  spyOn(globalThis, 'clearInterval').mockImplementation(((timer: unknown) => {
    running.delete(timer)
    end(timer as Parameters<typeof clearInterval>[0])
  }) as typeof clearInterval)
  return running
}

const open = (folder: string) =>
  openContext(
    loadConfig({ data: folder }, (name) =>
      name === 'TRACELAKE_ADMIN_KEY' ? 'a-key-of-an-administrator-0123456789' : undefined,
    ),
    pino({ level: 'silent' }),
  )

const steps: readonly [name: string, holder: object, method: string][] = [
  ['keys', Access, 'open'],
  ['files', FolderBlobs, 'open'],
  ['retention', Retention, 'open'],
  ['the model catalog', ModelCatalog, 'open'],
  ['sign-ins', Logins, 'open'],
  ['erasures', Erasures.prototype, 'resume'],
  ['jobs', Jobs.prototype, 'resume'],
  ['rules', Rules.prototype, 'resume'],
]

describe('a start that fails closes everything that it has opened', () => {
  test.each(steps)('at %s', async (_name, holder, method) => {
    const folder = await makeTempFolder()
    try {
      const timers = watchTimers()
      const failing = spyOn(holder as Record<string, () => Promise<unknown>>, method)
      failing.mockImplementationOnce(() => Promise.reject(new Error('injected')))
      await expect(open(folder)).rejects.toThrow('injected')
      expect({ timers: timers.size }).toEqual({ timers: 0 })
      // The lock on the folder is free again, and a start without a failure leaves nothing either.
      const context = await open(folder)
      expect(timers.size).toBeGreaterThan(0)
      await context.close()
      expect({ timers: timers.size }).toEqual({ timers: 0 })
    } finally {
      await removeFolder(folder)
    }
  })

  test('at each part that has to be closed', async () => {
    const { add } = OpenedParts.prototype
    const parts: string[] = []
    const watching = spyOn(OpenedParts.prototype, 'add').mockImplementation(function (this: OpenedParts, part, close) {
      parts.push(part)
      add.call(this, part, close)
    })
    const first = await makeTempFolder()
    await (await open(first)).close()
    watching.mockRestore()
    await removeFolder(first)
    expect(parts.length).toBeGreaterThan(10)
    for (const failing of parts) {
      const folder = await makeTempFolder()
      const timers = watchTimers()
      spyOn(OpenedParts.prototype, 'add').mockImplementation(function (this: OpenedParts, part, close) {
        add.call(this, part, close)
        if (part === failing) throw new Error(`injected at ${part}`)
      })
      await expect(open(folder)).rejects.toThrow(`injected at ${failing}`)
      expect({ failing, timers: timers.size }).toEqual({ failing, timers: 0 })
      mock.restore()
      await removeFolder(folder)
    }
  })

  test('a part that cannot be closed keeps no other open, and nothing is closed twice', async () => {
    const closed: string[] = []
    const opened = new OpenedParts()
    opened.add('store', () => void closed.push('store'))
    opened.add('jobs', () => Promise.reject(new Error('stuck')))
    opened.add('access', () => void closed.push('access'))
    await expect(opened.close()).rejects.toThrow('stuck')
    await opened.close()
    expect(closed).toEqual(['access', 'store'])
  })
})
