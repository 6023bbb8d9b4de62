import { beforeAll, describe, expect, test } from 'bun:test'
import { large, largeProject } from '../support/large-project.ts'
import type { Visit } from '../support/visit.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
  await largeProject()
})

const rowsMax = 150
const wide = `/ui/${large.projectId}/trace/${large.wideTraceId}`

const rows = (visit: Visit): Promise<number> =>
  visit.page.evaluate(() => document.querySelectorAll('[role=treeitem], [role=row]').length)

describe('a trace of 10,000 calls', () => {
  test('is sent in at most 1.1 MB, 150 KB on the wire', async () => {
    await world.visit(async (visit) => {
      await visit.goTo(wide)
      const [skeleton] = visit.requests.filter((request) => request.url().endsWith('/trace/read'))
      const response = await skeleton!.response()
      const { responseBodySize } = await skeleton!.sizes()
      const bytes = (await response!.body()).byteLength
      console.log(`skeleton: ${bytes} bytes, ${responseBodySize} on the wire`)
      expect(bytes).toBeLessThanOrEqual(1_100_000)
      expect(responseBodySize).toBeLessThanOrEqual(150_000)
    })
  })

  test('has at most 150 row elements, wherever it is scrolled', async () => {
    await world.visit(async (visit) => {
      await visit.goTo(wide)
      const tree = visit.page.getByRole('tree', { name: 'Calls' })
      expect(await rows(visit)).toBeGreaterThan(10)
      for (const key of ['End', 'Home']) {
        await tree.press(key)
        await visit.settled()
        expect(await rows(visit)).toBeLessThanOrEqual(rowsMax)
      }
      await tree.press('End')
      await visit.settled()
      await tree.getByRole('treeitem', { selected: true }).waitFor()
    })
  })

  test('says in every row where it is', async () => {
    await world.visit(async (visit) => {
      await visit.goTo(wide)
      const [level, place, size] = await visit.page
        .getByRole('treeitem')
        .nth(1)
        .evaluate((row) =>
          ['aria-level', 'aria-posinset', 'aria-setsize'].map((name) => Number(row.getAttribute(name))),
        )
      expect(level).toBe(2)
      expect(place).toBeGreaterThanOrEqual(1)
      expect(size).toBeGreaterThanOrEqual(place!)
    })
  })
})

test('a trace 200 calls deep shows the name of the deepest', async () => {
  await world.visit(async (visit) => {
    await visit.goTo(`/ui/${large.projectId}/trace/${large.deepTraceId}?call=deep-${large.depth - 1}`)
    const tree = visit.page.getByRole('tree', { name: 'Calls' })
    const name = tree.getByRole('treeitem', { selected: true }).getByText(`level_${large.depth - 1}`)
    await name.waitFor()
    const box = (await name.boundingBox())!
    expect(box.width).toBeGreaterThan(30)
    expect(box.x + box.width).toBeLessThan(1280)
  })
})
