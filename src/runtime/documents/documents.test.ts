import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTempFolder, removeFolder } from '../../../test/conformance/support/temp-folder.ts'
import {
  memoryStoreOf,
  SimulatedObjects,
  SimulatedStore,
  type StoreOperation,
} from '../../../test/lake/simulated-store.ts'
import { until } from '../../../test/store/until.ts'
import { documentLimits } from '../../lib/limits/objects.ts'
import { FolderStore } from '../objects/folder-store.ts'
import { ObjectStoreError } from '../objects/object-store.ts'
import type { Documents } from './documents.ts'
import { FolderDocuments } from './folder-documents.ts'
import { ObjectDocuments } from './object-documents.ts'

const name = 'things.json'
const contentOf = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text))

let folder: string
beforeAll(async () => {
  folder = await makeTempFolder()
})
afterAll(() => removeFolder(folder))

let places = 0
const kinds = {
  'a folder': () => {
    const place = join(folder, String(++places))
    mkdirSync(place)
    return () => new FolderDocuments(place)
  },
  'objects in a folder': () => {
    const store = new FolderStore(join(folder, String(++places)))
    return (node = 'n') => new ObjectDocuments({ store, node })
  },
  'objects of a simulated store': () => {
    const store = memoryStoreOf(new SimulatedObjects())
    return (node = 'n') => new ObjectDocuments({ store, node })
  },
} satisfies Record<string, () => (node?: string) => Documents>

describe.each(Object.entries(kinds))('documents in %s', (_, makePlace) => {
  test('a document does not exist until it is written; then everybody finds it', async () => {
    const open = makePlace()
    const [one, other] = [open(), open()]
    expect([await one.find(name), await one.version(name)]).toEqual([undefined, undefined])
    await one.change(name, (before) => {
      expect(before).toBeUndefined()
      return { count: 1 }
    })
    expect(contentOf(await other.find(name))).toMatchObject({ count: 1 })
    expect(await one.version(name)).toBe(await other.version(name))
  })

  test('an edit that returns null changes nothing', async () => {
    const documents = makePlace()()
    await documents.change(name, () => ({ count: 1 }))
    const version = await documents.version(name)
    await documents.change(name, () => null)
    expect([await documents.version(name), contentOf(await documents.find(name)).count]).toEqual([version, 1])
  })

  test('an edit that fails changes nothing', async () => {
    const documents = makePlace()()
    const failed = documents.change(name, () => {
      throw new Error('refused')
    })
    await expect(failed).rejects.toThrow('refused')
    expect(await documents.find(name)).toBeUndefined()
  })

  test('changes at the same time are all kept', async () => {
    const open = makePlace()
    const increment = (documents: Documents) =>
      documents.change(name, (before) => ({ count: (contentOf(before)?.count ?? 0) + 1 }))
    await Promise.all(
      [open('a'), open('b'), open('c')].map(async (documents) => {
        for (let count = 0; count < 5; count++) await increment(documents)
      }),
    )
    expect(contentOf(await open().find(name)).count).toBe(15)
  })

  test('an own document has what the server before has written', async () => {
    const open = makePlace()
    const first = await open('a').own(name)
    expect(await first.read()).toBeUndefined()
    await first.write({ count: 1 })
    await first.write({ count: 2 })
    expect(contentOf(await (await open('b').own(name)).read())).toMatchObject({ count: 2 })
  })

  test('an own document that was never written does not exist', async () => {
    const open = makePlace()
    await open('a').own(name)
    expect(await (await open('b').own(name)).read()).toBeUndefined()
    expect(await open().find(name)).toBeUndefined()
  })
})

test('a file has two spaces of indentation, and nobody else can read it', async () => {
  const place = join(folder, String(++places))
  const documents = new FolderDocuments(place)
  await documents.change(name, () => ({ version: 1, list: ['x'] }))
  const own = await documents.own('own.json')
  await own.write({ version: 1 })
  expect(await readFile(join(place, name), 'utf8')).toBe('{\n  "version": 1,\n  "list": [\n    "x"\n  ]\n}\n')
  expect(await readFile(join(place, 'own.json'), 'utf8')).toBe('{\n  "version": 1\n}\n')
  for (const file of [name, 'own.json']) expect((await stat(join(place, file))).mode & 0o777).toBe(0o600)
})

test('nobody else can read documents that are objects in a folder', async () => {
  const place = join(folder, String(++places))
  const documents = new ObjectDocuments({ store: new FolderStore(place), node: 'n' })
  await documents.change(name, () => ({ version: 1 }))
  await documents.change(name, () => ({ version: 2 }))
  await (await documents.own('own.json')).write({ version: 1 })
  for (const file of [name, 'own.json']) expect((await stat(join(place, file))).mode & 0o777).toBe(0o600)
})

test('a server that was replaced can write nothing any more', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  const replaced: string[] = []
  const open = (node: string) => new ObjectDocuments({ store, node, onReplaced: () => replaced.push(node) })
  const first = await open('a').own(name)
  await first.write({ count: 1 })
  const second = await open('b').own(name)
  await expect(first.write({ count: 10 })).rejects.toMatchObject({ type: 'StoreUnavailable' })
  await second.write({ count: 2 })
  await expect(first.write({ count: 10 })).rejects.toMatchObject({ type: 'StoreUnavailable' })
  expect(contentOf(await open('c').find(name))).toMatchObject({ count: 2 })
  expect(replaced).toEqual(['a', 'a'])
})

/** A store whose puts happen, but whose answers are cut while `isCut` says so. */
function cutting(objects: SimulatedObjects, isCut: (operation: StoreOperation) => boolean): SimulatedStore {
  return new SimulatedStore(async (operation) => {
    const answer = objects.run(operation)
    if (isCut(operation)) throw new ObjectStoreError('unreachable', 'Cannot write: the answer was cut')
    return answer
  })
}

test('a write whose answer was lost does not keep the server from the next one', async () => {
  const objects = new SimulatedObjects()
  let isCut = false
  const store = cutting(objects, ({ kind }) => isCut && kind === 'put')
  const own = await new ObjectDocuments({ store, node: 'a' }).own(name)
  isCut = true
  await expect(own.write({ count: 1 })).rejects.toMatchObject({ type: 'StoreUnavailable' })
  await expect(own.write({ count: 2 })).rejects.toMatchObject({ type: 'StoreUnavailable' })
  // As after a kill, the store may have more than what was acknowledged, but never less.
  expect(contentOf(await new ObjectDocuments({ store, node: 'b' }).find(name)).count).toBe(2)
  isCut = false
  await own.write({ count: 3 })
  expect(contentOf(await new ObjectDocuments({ store, node: 'b' }).find(name)).count).toBe(3)
})

test('a change that is repeated after a lost answer happens once', async () => {
  const objects = new SimulatedObjects()
  let cuts = 1
  // As of a runtime that repeats a request by itself: the second put loses against the first.
  const store = new SimulatedStore(async (operation) => {
    const answer = objects.run(operation)
    if (operation.kind !== 'put' || cuts-- !== 1) return answer
    return objects.run(operation)
  })
  const documents = new ObjectDocuments({ store, node: 'a' })
  let edits = 0
  await documents.change(name, (before) => {
    edits++
    return { count: (contentOf(before)?.count ?? 0) + 1 }
  })
  expect([edits, contentOf(await documents.find(name)).count]).toEqual([1, 1])
})

test('a damaged document is kept until it is replaced', async () => {
  const objects = new SimulatedObjects()
  const store = memoryStoreOf(objects)
  await store.put(name, new TextEncoder().encode('{"half'))
  const own = await new ObjectDocuments({ store, node: 'a' }).own(name)
  expect(await own.read()).toBe('{"half')
  expect(await new ObjectDocuments({ store, node: 'b' }).find(name)).toBe('{"half')
  await own.write({ count: 1 })
  expect(contentOf(await new ObjectDocuments({ store, node: 'b' }).find(name)).count).toBe(1)
})

describe('versions', () => {
  const setUp = () => {
    const objects = new SimulatedObjects()
    const world = { nowMs: 0, requests: 0, isAway: false }
    const store = new SimulatedStore(async (operation) => {
      world.requests++
      if (world.isAway) throw new ObjectStoreError('unreachable', 'Cannot read: no answer')
      return objects.run(operation)
    })
    const open = (node: string) => new ObjectDocuments({ store, node, nowMs: () => world.nowMs })
    return { world, open }
  }

  test('are asked for once in a while, however often they are needed', async () => {
    const { world, open } = setUp()
    const documents = open('a')
    for (let count = 0; count < 100; count++) await documents.version(name)
    expect(world.requests).toBe(1)
    world.nowMs += documentLimits.knownForMs
    await Promise.all(Array.from({ length: 100 }, () => documents.version(name)))
    expect(world.requests).toBe(2)
  })

  test('are asked for before they are too old, and nobody waits for the answer', async () => {
    const { world, open } = setUp()
    const documents = open('a')
    await documents.change(name, () => ({ count: 1 }))
    const first = await documents.version(name)
    await open('b').change(name, () => ({ count: 2 }))
    world.nowMs += documentLimits.askedAgainMs
    expect(await documents.version(name)).toBe(first)
    await until(async () => (await documents.version(name)) !== first)
  })

  test('change at once with own changes, and after a while with those of others', async () => {
    const { world, open } = setUp()
    const [own, other] = [open('a'), open('b')]
    await own.change(name, () => ({ count: 1 }))
    const first = await own.version(name)
    await own.change(name, () => ({ count: 2 }))
    const second = await own.version(name)
    expect(second).not.toBe(first)
    await other.change(name, () => ({ count: 3 }))
    expect(await own.version(name)).toBe(second)
    world.nowMs += documentLimits.knownForMs
    expect(await own.version(name)).toBe(await other.version(name))
  })

  test('that are to be the newest include what others have changed just now', async () => {
    const { world, open } = setUp()
    const [own, other] = [open('a'), open('b')]
    await other.change(name, () => ({ count: 1 }))
    const first = await own.newestVersion(name)
    await other.change(name, () => ({ count: 2 }))
    expect(await own.version(name)).toBe(first)
    const second = await own.newestVersion(name)
    expect(second).not.toBe(first)
    expect(await own.version(name)).toBe(second)
    world.isAway = true
    expect(await own.newestVersion(name)).toBe(second)
    await expect(open('c').newestVersion(name)).rejects.toMatchObject({ type: 'StoreUnavailable' })
  })

  test('that are to be the newest are not those of a question that was asked before', async () => {
    const objects = new SimulatedObjects()
    const answers: (() => void)[] = []
    let isHeldUp = false
    const store = new SimulatedStore(async (operation) => {
      const answer = objects.run(operation)
      if (isHeldUp && operation.kind === 'head') await new Promise<void>((resolve) => answers.push(resolve))
      return answer
    })
    const [own, other] = ['a', 'b'].map((node) => new ObjectDocuments({ store, node, nowMs: () => 0 }))
    await other?.change(name, () => ({ count: 1 }))
    isHeldUp = true
    const early = own?.newestVersion(name)
    await until(() => answers.length > 0)
    isHeldUp = false
    await other?.change(name, () => ({ count: 2 }))
    const late = own?.newestVersion(name)
    for (const answer of answers) answer()
    expect(await early).toBeString()
    expect(await late).toBe(await other?.version(name))
  })

  test('that are to be the newest take few requests, however many ask for them', async () => {
    const { world, open } = setUp()
    const documents = open('a')
    // The clock stands still, so each request comes as soon after the one before as it may.
    for (let round = 1; round <= 3; round++) {
      await Promise.all(Array.from({ length: 1_000 }, () => documents.newestVersion(name)))
      expect(world.requests).toBe(round)
    }
  })

  test('that are to be the newest are asked for again after a while only', async () => {
    const store = new SimulatedStore(async (operation) => new SimulatedObjects().run(operation))
    const documents = new ObjectDocuments({ store, node: 'a' })
    const start = performance.now()
    for (let asked = 0; asked < 4; asked++) await documents.newestVersion(name)
    // Timers may count whole milliseconds.
    expect(performance.now() - start).toBeGreaterThan(3 * (documentLimits.newestEveryMs - 2))
  })

  test('are not those of a read that an own change has overtaken', async () => {
    const objects = new SimulatedObjects()
    const answers: (() => void)[] = []
    let isHeldUp = false
    const store = new SimulatedStore(async (operation) => {
      const answer = objects.run(operation)
      if (isHeldUp && operation.kind === 'get') await new Promise<void>((resolve) => answers.push(resolve))
      return answer
    })
    const documents = new ObjectDocuments({ store, node: 'a' })
    await documents.change(name, () => ({ count: 1 }))
    isHeldUp = true
    const late = documents.find(name)
    isHeldUp = false
    await documents.change(name, () => ({ count: 2 }))
    const changed = await documents.version(name)
    for (const answer of answers) answer()
    expect(contentOf(await late).count).toBe(1)
    expect(await documents.version(name)).toBe(changed)
  })

  test('are those from before while the store is away', async () => {
    const { world, open } = setUp()
    const documents = open('a')
    await documents.change(name, () => ({ count: 1 }))
    const known = await documents.version(name)
    world.isAway = true
    world.nowMs += documentLimits.knownForMs
    expect(await documents.version(name)).toBe(known)
    await expect(open('b').version(name)).rejects.toMatchObject({ type: 'StoreUnavailable' })
    world.nowMs += documentLimits.knownForMs
    world.isAway = false
    await open('b').change(name, () => ({ count: 2 }))
    world.nowMs += documentLimits.knownForMs
    expect(await documents.version(name)).not.toBe(known)
  })

  test('are those from before if the store does not answer soon', async () => {
    const { askedForMs, askedAgainMs, knownForMs } = documentLimits
    Object.assign(documentLimits, { askedForMs: 1, askedAgainMs: 0, knownForMs: 0 })
    try {
      const objects = new SimulatedObjects()
      const store = new SimulatedStore((operation) =>
        operation.kind === 'head' ? new Promise(() => {}) : Promise.resolve(objects.run(operation)),
      )
      const documents = new ObjectDocuments({ store, node: 'a' })
      await documents.change(name, () => ({ count: 1 }))
      expect(await documents.version(name)).toBeString()
    } finally {
      Object.assign(documentLimits, { askedForMs, askedAgainMs, knownForMs })
    }
  })
})
