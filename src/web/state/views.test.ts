import { expect, test } from 'bun:test'
import { isCurrent, patternOf, sections, viewOf, views } from './views.ts'

const all = Object.entries(views) as [keyof typeof views, NonNullable<ReturnType<typeof viewOf>>][]

test.each(all)('the view %s has what follows from the table', (name, { entry, title, needs, below, path = name }) => {
  expect(patternOf(name)).toStartWith(`/${path}`)
  // A page whose title is not its own has to be named by what it shows.
  if (needs === undefined) expect(title).toBeString()
  if (entry !== undefined) expect(needs).toBeUndefined()
  if (below !== undefined) expect(viewOf(below)?.entry).toBeDefined()
})

test('entries have keys of their own, in groups', () => {
  const keys = sections.flat().map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  expect(sections.map((group) => group.map(({ view }) => view))).toEqual([
    ['traces', 'threads', 'live'],
    ['dashboards', 'evaluations'],
    ['datasets', 'prompts', 'playground', 'objects'],
    ['queues', 'feedback'],
    ['start'],
  ])
})

test('one entry is current, also for views below it', () => {
  const current = (open: string) => sections.flat().flatMap((each) => (isCurrent(each, open) ? [each.view] : []))
  expect(['calls', 'trace', 'thread', 'live', 'object', 'nothing'].map(current)).toEqual([
    ['traces'],
    ['traces'],
    ['threads'],
    ['live'],
    ['objects'],
    [],
  ])
})
