import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Project } from '../../conformance/support/project.ts'
import type { Visit } from '../support/visit.ts'
import { sharedWorld, type World } from '../support/world.ts'
import { type HostileProject, hostileRuns, storeHostile } from './hostile-project.ts'
import { findInjected } from './inspect.ts'
import { payloads } from './payloads.ts'

let world: World
let hostile: HostileProject
let looks = 0
/** Of those that differ in the payload only. */
const callsLookedAt = 5
beforeAll(async () => {
  world = await sharedWorld()
  hostile = await storeHostile()
}, 120_000)
afterAll(() => {
  if (hostile === undefined) return
  const attempts = [...hostile.attempts.values()].reduce((sum, count) => sum + count, 0)
  const fields = [...hostile.attempts].map(([field, count]) => `${field} ${count}`).join(', ')
  console.log(`stored XSS: ${Object.keys(payloads).length} payloads, ${attempts} attempts, ${looks} looks (${fields})`)
})

/** Looks at the page as it is. */
async function look({ page }: Visit): Promise<void> {
  expect(await page.evaluate(findInjected)).toEqual([])
  looks += 1
}

/** What a page shows, also in its fields. */
const shownText = (): string =>
  [document.body.textContent, ...[...document.querySelectorAll('textarea')].map(({ value }) => value)].join('\n')

/** Pages that show only names, which cannot be hostile. */
const namesOnly = new Set(['threads', 'datasets', 'prompts', 'objects'])

const project = (tail: string) => () => `/ui/acme/hostile/${tail}`
const named = (name: string, path: () => string) => ({ name, path })

describe('texts of clients are shown, not obeyed', () => {
  test.each([
    named('projects', () => '/ui/'),
    named('traces', project('traces')),
    named('calls', project('calls')),
    named('calls with columns from payloads', () => {
      const columns = Object.values(payloads)
        .slice(0, 12)
        .map((text) => `inputs.${text}`)
      return `/ui/acme/hostile/calls?c=${encodeURIComponent(['op', ...columns].join(','))}`
    }),
    named('threads', project('threads')),
    named('dashboards', project('dashboards')),
    named('live', project('live')),
    named(
      'compare',
      () => `/ui/acme/hostile/compare?ids=${hostile.traceIds.slice(0, 4).map(encodeURIComponent).join(',')}`,
    ),
    named('datasets', project('datasets')),
    named('a dataset', project('datasets/hostile_rows')),
    named('versions of a dataset', project('datasets/hostile_rows?from=v0&to=v1')),
    named('prompts', project('prompts')),
    named('a prompt', project('prompts/hostile_prompt')),
    named('versions of a prompt', project('prompts/hostile_prompt?from=v0&to=v1')),
    named('objects', project('objects')),
    named('an object', project('object/object-3')),
    named('evaluations', project('evaluations')),
    named('an evaluation run', project(`evaluations/${hostileRuns[0]}`)),
    named('evaluation runs compared', project(`evaluations/compare?runs=${hostileRuns.join(',')}`)),
    named('the playground', project('playground?call=everything')),
    ...['tree', 'ops', 'flame'].map((view) =>
      named(`trace as ${view}`, () => `/ui/acme/hostile/trace/everything?view=${view}`),
    ),
  ])('$name', async ({ name, path }) => {
    await world.visit(
      async (visit) => {
        await visit.goTo(path())
        await look(visit)
        if (!namesOnly.has(name)) expect(await visit.page.evaluate(shownText)).toContain('hostileRan')
        await visit.page.mouse.wheel(0, 4000)
        await visit.settled()
        await look(visit)
      },
      // The server refuses columns that are no paths.
      { expected: [/422/], sharesCache: true },
    )
  })

  test.each(['chat', 'io', 'inputs', 'output', 'attributes', 'feedback', 'cost', 'code', 'raw'])(
    'the call as %s',
    async (tab) => {
      await world.visit(
        async (visit) => {
          await visit.goTo(`/ui/acme/hostile/trace/everything?call=everything&tab=${tab}`)
          const panel = visit.page.getByRole('complementary').last()
          for (let step = 0; step < 12; step++) {
            await look(visit)
            for (const fold of await panel.locator('summary, button[aria-expanded=false]').all())
              if (await fold.isVisible()) await fold.click({ timeout: 500 }).catch(() => {})
            const moved = await panel.evaluate((element) => {
              const boxes = [element, ...element.querySelectorAll('*')].filter(
                (each) =>
                  each.scrollHeight > each.clientHeight + 8 && /auto|scroll/.test(getComputedStyle(each).overflowY),
              )
              const before = boxes.map((box) => box.scrollTop)
              for (const box of boxes) box.scrollTop += box.clientHeight
              return boxes.some((box, index) => box.scrollTop > before[index]!)
            })
            if (!moved) break
          }
          await visit.settled()
          await look(visit)
        },
        { sharesCache: true },
      )
    },
  )

  test('calls with their feedback', async () => {
    await world.visit(async (visit) => {
      for (const id of hostile.traceIds.slice(0, callsLookedAt)) {
        await visit.goTo(`/ui/acme/hostile/trace/${encodeURIComponent(id)}?tab=feedback`)
        await look(visit)
      }
    })
  })

  test('threads', async () => {
    await world.visit(async (visit) => {
      for (const id of hostile.threadIds.slice(0, callsLookedAt)) {
        await visit.goTo(`/ui/acme/hostile/thread/${encodeURIComponent(id)}`)
        await look(visit)
      }
    })
  })

  test('the palette', async () => {
    await world.visit(async (visit) => {
      await visit.goTo('/ui/acme/hostile/traces')
      await visit.page.keyboard.press('Control+k')
      for (const text of Object.values(payloads).slice(0, 8)) {
        await visit.page.getByRole('dialog').getByRole('combobox').fill(text)
        await visit.settled()
        await look(visit)
      }
    })
  })

  test('new calls of the live tail', async () => {
    await world.visit(async (visit) => {
      await visit.goTo('/ui/acme/hostile/live')
      await visit.page.getByText('Connected').waitFor()
      const calls = Object.values(payloads).map((text, index) => ({
        id: `live-${index}`,
        op_name: text,
        display_name: text,
        inputs: { [text]: text },
        output: text,
      }))

      await new Project(world.server.client, 'acme', 'hostile').complete(...calls, {
        id: 'live-last',
        op_name: 'live_last',
      })
      await visit.page.getByText('live_last').first().waitFor()
      await visit.settled()
      await look(visit)
    })
  })
})

describe('addresses are shown, not obeyed', () => {
  test.each(['traces', 'trace/everything', 'compare', 'threads', 'live', 'dashboards'])(
    'parameters of %s',
    async (view) => {
      const parameters = ['t', 'b', 's', 'c', 'call', 'view', 'tab', 'q', 'a', 'z', 'ids', 'op', 'by']
      await world.visit(
        async (visit) => {
          for (const text of [`<img src=data:, onerror=globalThis.hostileRan=1>`, 'javascript:globalThis.hostileRan=1'])
            for (const names of [parameters, ['f']]) {
              await visit.goTo(`/ui/acme/hostile/${view}?${new URLSearchParams(names.map((name) => [name, text]))}`)
              await look(visit)
            }
        },
        // The server refuses sort orders and columns that make no sense.
        { expected: [/40[04]|422/], sharesCache: true },
      )
    },
  )

  test.each([
    'https://elsewhere.example/',
    '//elsewhere.example/',
    '/\\elsewhere.example',
    'javascript:globalThis.hostileRan=1',
    'data:text/html,x',
    '/ui/../docs',
    '/ui/login/../../docs',
  ])('after the login, %s', async (next) => {
    await world.visit(
      async (visit) => {
        await visit.goTo(`/ui/login?next=${encodeURIComponent(next)}`)
        await visit.page.getByRole('textbox').fill(await world.keyOf('read'))
        await visit.page.keyboard.press('Enter')
        await visit.page.waitForURL((url) => !url.pathname.endsWith('/login'))
        await visit.settled()
        expect(visit.page.url()).toStartWith(`${world.address}/ui/`)
        await look(visit)
      },
      { role: null, expected: [/401/] },
    )
  })

  test('the name of a project', async () => {
    await world.visit(
      async (visit) => {
        for (const text of [
          '<img src=data:, onerror=globalThis.hostileRan=1>',
          '"><svg onload=globalThis.hostileRan=1>',
          '__proto__',
        ]) {
          await visit.goTo(`/ui/${encodeURIComponent(text)}/${encodeURIComponent(text)}/traces`)
          await look(visit)
        }
      },
      { expected: [/40[0-9]|422/] },
    )
  })
})
