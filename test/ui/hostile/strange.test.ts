import { beforeAll, describe, expect, test } from 'bun:test'
import { Project } from '../../conformance/support/project.ts'
import { checkAccessibility, rulesOfColor } from '../support/accessibility.ts'
import { sharedWorld, type World } from '../support/world.ts'

const longest = 128
const strangeTexts = [
  ' ',
  'שלום עולם',
  'مرحبا بالعالم',
  '👩🏽‍💻🎉',
  'x'.repeat(longest),
  '<b onclick="alert(1)">bold</b>',
]

let world: World
beforeAll(async () => {
  world = await sharedWorld()
  const project = new Project(world.server.client, 'acme', 'strange')
  const calls = ['', ...strangeTexts].map((text, index) => ({
    id: `strange-${index}`,
    trace_id: 'strange',
    op_name: text === '' ? 'empty' : text,
    display_name: text === '' ? null : text,
    inputs: { question: text },
    output: text,
    ...(text.trim() !== '' && { thread_id: text }),
    ...(index > 0 && { parent_id: 'strange-0' }),
  }))
  await project.complete(...calls)
})

describe('empty, right-to-left, long and marked-up texts leave pages accessible', () => {
  test.each([
    'traces',
    'calls',
    'threads',
    'dashboards',
    'live',
    'trace/strange',
    'trace/strange?view=ops',
    'trace/strange?view=flame',
    'compare?a=strange-1&b=strange-2',
  ])('%s', async (tail) => {
    await world.visit(
      async (visit) => {
        await visit.goTo(`/ui/acme/strange/${tail}`)
        expect((await checkAccessibility(visit.page)).violations).toEqual([])
        // The themes differ in colors only.
        await visit.page.emulateMedia({ colorScheme: 'dark' })
        await visit.settled()
        expect((await checkAccessibility(visit.page, { only: rulesOfColor })).violations).toEqual([])
      },
      { theme: 'light', sharesCache: true },
    )
  })
})
