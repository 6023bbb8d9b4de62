import { beforeAll, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { routes } from '../support/routes.ts'
import { sharedWorld, type World } from '../support/world.ts'

const assets = path.join(import.meta.dir, '../../../dist/ui/assets')
const kilobyte = 1000
/**
 * Many small files cost round trips. Dashboards have the most: what they share with traces and
 * the SQL console would otherwise weigh on every page.
 */
const filesMax = 46

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

/** Scripts and styles that a page loaded, and their bytes with gzip. */
const loadedBy = async (path: string, isPublic: boolean): Promise<Map<string, number>> => {
  const loaded = new Map<string, number>()
  await world.visit(
    async (visit) => {
      await visit.goTo(path)
      for (const request of visit.requests) {
        const [, name] = /\/ui\/assets\/(.+\.(?:js|css))$/.exec(request.url()) ?? []
        if (name !== undefined) loaded.set(name, await compressedBytes(name))
      }
    },
    isPublic ? { role: null, expected: [/401/] } : {},
  )
  return loaded
}

const total = (files: ReadonlyMap<string, number>): number => [...files.values()].reduce((sum, bytes) => sum + bytes, 0)

/** Files that gzip does not make smaller have no `.gz`. */
async function compressedBytes(name: string): Promise<number> {
  const compressed = Bun.file(path.join(assets, `${name}.gz`))
  return (await compressed.exists()) ? compressed.size : Bun.file(path.join(assets, name)).size
}

describe('scripts and styles, with gzip', () => {
  test('of the first load are at most 70 KB', async () => {
    const files = await loadedBy('/ui/login', true)
    console.log(`first load: ${(total(files) / kilobyte).toFixed(1)} KB in ${files.size} files`)
    expect(total(files)).toBeLessThanOrEqual(70 * kilobyte)
  })

  test.each(routes)('of a visit that begins with $name are at most 130 KB', async ({ name, path, isPublic }) => {
    const files = await loadedBy(path(world), isPublic === true)
    console.log(`${name}: ${(total(files) / kilobyte).toFixed(1)} KB in ${files.size} files`)
    expect(total(files)).toBeLessThanOrEqual(130 * kilobyte)
    expect(files.size).toBeLessThanOrEqual(filesMax)
  })

  test('of the whole UI are at most 650 KB', async () => {
    const names = (await readdir(assets)).filter((name) => /\.(?:js|css)$/.test(name))
    const sizes = await Promise.all(names.map(compressedBytes))
    const bytes = sizes.reduce((sum, each) => sum + each, 0)
    console.log(`the whole UI: ${(bytes / kilobyte).toFixed(1)} KB in ${names.length} files`)
    expect(bytes).toBeLessThanOrEqual(650 * kilobyte)
  })
})
