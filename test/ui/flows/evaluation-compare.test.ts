import { beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import type { Comparison } from '../../../src/domains/evaluations/model/comparison.ts'
import { runCommand } from '../../cli/command.ts'
import { Project } from '../../conformance/support/project.ts'
import { ok, Queues } from '../../conformance/support/queues.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import { findCutOff } from '../support/narrow.ts'
import { type SeededRuns, seedRuns } from '../support/seed-runs.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
let project: Project
let runs: SeededRuns
beforeAll(async () => {
  world = await sharedWorld()
  project = new Project(world.server.client, 'acme', 'compared')
  runs = await seedRuns(project)
})

const pathOf = (search = '') => `/ui/${project.id}/evaluations/compare?runs=${runs.ids.join(',')}${search}`

test('shows the figures of the API, and warns of another version of a scorer', async () => {
  const { json } = await world.server.client.post<Comparison>('/evaluations/compare', {
    project_id: project.id,
    evaluation_call_ids: runs.ids,
    margins: { task_solved: 0.04 },
  })
  const solved = json.scores.find(({ score }) => score === 'task_solved')
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(pathOf())
    const card = page.getByRole('region', { name: 'task_solved', exact: true })
    for (const { value, difference } of solved?.runs ?? []) {
      await card.getByText(`${((value ?? 0) * 100).toFixed(1)}%`, { exact: true }).waitFor()
      if (difference) await card.getByText(difference.verdict, { exact: true }).first().waitFor()
    }
    // The command for the same pair of runs and tests has the same figures.
    const { out } = await runCommand(
      ...['evals', 'check', runs.ids[1] ?? '', '--baseline', runs.ids[0] ?? '', '--project', project.id],
      ...['--url', world.address, '--key', world.server.adminKey, '--no-worse', 'task_solved'],
      ...['--margin', 'task_solved=0.04', '--markdown'],
    )
    await visit.goTo(`/ui/${project.id}/evaluations/compare?runs=${runs.ids.slice(0, 2).join(',')}&scores=task_solved`)
    const line = out.split('\n').find((each) => each.startsWith('| task_solved'))
    const [, , before, after, difference, pairs] = (line ?? '')
      .replaceAll('\\', '')
      .split(' | ')
      .flatMap((cell, at) => (at === 0 ? ['', cell] : cell))
    const shown = await card.textContent()
    for (const cell of [before, after])
      for (const figure of (cell ?? '')
        .split(/[ ()]+/)
        .filter(Boolean)
        .slice(0, 1))
        expect(shown).toContain(figure)
    const [, value = '', interval = '', p = ''] = /^(\S+) (\[.*\]) (p .*)$/.exec(difference ?? '') ?? []
    for (const figure of [value, interval, p, `n ${pairs?.split(',')[0]}`]) expect(shown).toContain(figure)
    await visit.goTo(pathOf())
    await page.getByText('policy_judge has different versions: A, B, C v0; D v1').waitFor()
    await page.getByText(`Holm over ${json.comparisons}.`, { exact: false }).waitFor()
  })
})

test('filters, unfolds, keeps everything in the address, and exports', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(pathOf('&by=task_solved'))
    await page.getByRole('button', { name: /^Regressions/ }).click()
    await page.getByRole('combobox', { name: 'Order of the rows' }).selectOption('loss')
    await page
      .getByRole('searchbox', { name: /^tag =/ })
      .or(page.getByRole('textbox', { name: /^tag =/ }))
      .fill('tag = refund')
    await page.getByText(/regressions?$/).waitFor()
    const first = page.getByRole('rowheader').first()
    await first.getByText('Refund a delayed flight', { exact: false }).waitFor()
    await page.waitForURL(/f=tag/)
    await first.click()
    await page
      .getByRole('link', { name: /^trace / })
      .first()
      .waitFor()
    await page.reload()
    await page
      .getByRole('link', { name: /^trace / })
      .first()
      .waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines[0]).toStartWith('row,row_digest,input,')
    expect(lines.length).toBeGreaterThan(1)
    await page.goBack()
  })
})

test('removes a run and keeps the letters, and saves the comparison', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(pathOf())
    await page.getByRole('button', { name: 'Remove B' }).click()
    await page.getByRole('button', { name: 'Remove C' }).waitFor()
    await page.getByRole('button', { name: 'Save comparison' }).click()
    await page.getByRole('textbox', { name: 'Name of the comparison' }).fill('Without B')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Comparison “Without B” saved').waitFor()
    await page.getByRole('button', { name: 'Save comparison' }).click()
    await page.getByRole('link', { name: 'Without B' }).click()
    await page.getByRole('button', { name: 'Remove C' }).waitFor()
    await page.getByRole('button', { name: 'Save comparison' }).click()
    await page.getByRole('button', { name: 'Delete the comparison “Without B”' }).click()
    await page.getByText('Comparison “Without B” deleted').waitFor()
  })
})

test('runs that are gone or have no rows yet are named, and the others compared', async () => {
  const begun = { id: 'begun', trace_id: 'begun', op_name: 'Evaluation.evaluate', started_at: new Date().toISOString() }
  await project.start(begun)
  await world.visit(async (visit) => {
    const { page } = visit
    const ids = [runs.ids[0], 'deleted', runs.ids[1], begun.id]
    await visit.goTo(`/ui/${project.id}/evaluations/compare?runs=${ids.join(',')}`)
    await page.getByText('B is not in this project', { exact: false }).waitFor()
    await page.getByText('D has no rows yet.', { exact: false }).waitFor()
    await page.getByRole('region', { name: 'task_solved', exact: true }).waitFor()
    // Runs are called as in their list, and lead to their pages.
    const chip = page.getByRole('list', { name: 'Compare runs' }).getByRole('link', { name: 'agent-b v0' })
    expect(await chip.getAttribute('href')).toEndWith(`/evaluations/${runs.ids[1]}`)
    await page.getByText('B is not in this project', { exact: false }).locator('..').getByRole('button').click()
    await page.waitForURL(/runs=[^,]*,,/)
    await page.getByText('B is not in this project', { exact: false }).waitFor({ state: 'detached' })
  })
  await project.delete(begun.id)
})

test('a run that is deleted while its comparison is open is named, and the others compared', async () => {
  const own = new Project(world.server.client, 'acme', 'deleted-while-open')
  const { ids } = await seedRuns(own)
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${own.id}/evaluations/compare?runs=${ids.join(',')}`)
    await page.getByRole('region', { name: 'task_solved', exact: true }).waitFor()
    await own.delete(ids[1] ?? '')
    // Another set of runs is another view, which the server has to read.
    await page.getByRole('button', { name: 'Remove D' }).click()
    await page.getByText('B is not in this project', { exact: false }).waitFor()
    await page.getByRole('region', { name: 'task_solved', exact: true }).waitFor()
  })
})

test('a read key sees no control that saves', async () => {
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(pathOf())
      await page.getByRole('region', { name: 'task_solved', exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Save comparison' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Saved' }).click()
      await page
        .getByText('No comparison is saved yet.')
        .or(page.getByText('Saved comparisons of this project', { exact: false }))
        .first()
        .waitFor()
    },
    { role: 'read' },
  )
})

test('two runs become a queue of pairs, drawn from the rows that are shown', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(pathOf('&by=task_solved'))
    await page.getByRole('button', { name: /^Changed/ }).click()
    await page.getByRole('button', { name: 'Review pairs' }).click()
    await page.getByRole('combobox', { name: 'Second run' }).selectOption(runs.ids[0] ?? '')
    await page.getByText('Choose two different runs.').waitFor()
    await page.getByRole('combobox', { name: 'Second run' }).selectOption(runs.ids[2] ?? '')
    await page.getByRole('textbox', { name: 'Name of the queue' }).fill('A or C')
    const rows = page.getByRole('textbox', { name: /^Rows, up to/ })
    await rows.fill('0')
    await page.getByText('A number from 1 to').waitFor()
    await rows.fill('20')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'A or C' }).waitFor()
    await visit.settled()
    await page.keyboard.press('r')
    await page.getByRole('region', { name: 'Answer A' }).waitFor()
    await page.getByRole('region', { name: 'Answer B' }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'A is better', pressed: true }).waitFor()
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('Item 2').waitFor()
  })
  const queues = new Queues(project)
  const [overview] = (await ok(queues.overview())).queues
  expect(overview).toMatchObject({ queue: { name: 'A or C' }, review: { reviewers_per_item: 2 } })
  const { items } = await ok(queues.items(overview?.queue.id ?? ''))
  const rowOf = (id = '') => /-(\d+)-p$/.exec(id)?.[1]
  for (const { call_id, compared_call_id } of items) {
    expect(call_id).toStartWith(`${runs.ids[0]}-`)
    expect(compared_call_id).toStartWith(`${runs.ids[2]}-`)
    expect(rowOf(call_id)).toBe(rowOf(compared_call_id))
  }
  const order = items.map(({ call_id }) => Number(rowOf(call_id)))
  expect(items.length).toBeWithin(2, 21)
  expect(new Set(order).size).toBe(items.length)
})

const hasFocus = (element: Locator) => element.evaluate((each) => each === document.activeElement)

test.each([
  ['light', 1280],
  ['dark', 320],
] as const)('the pairs of a comparison are asked for by keys alone, %s at %d', async (theme, width) => {
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(pathOf())
      const isPhone = width < 720
      const opener = page.getByRole('button', { name: isPhone ? 'Actions' : 'Review pairs' })
      const open = async () => {
        await page.keyboard.press('Enter')
        if (!isPhone) return
        const item = page.getByRole('menuitem', { name: 'Review pairs' })
        for (let presses = 0; !(await hasFocus(item)); presses++) {
          expect(presses).toBeLessThan(20)
          await page.keyboard.press('ArrowDown')
        }
        await page.keyboard.press('Enter')
      }
      await opener.focus()
      await open()
      const dialog = page.getByRole('dialog', { name: 'Let people compare the outputs of two runs' })
      await dialog.waitFor()
      // Closed, it gives the focus back.
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(await hasFocus(opener)).toBe(true)
      await open()
      await dialog.waitFor()
      const name = dialog.getByRole('textbox', { name: 'Name of the queue' })
      for (let presses = 0; !(await hasFocus(name)); presses++) {
        expect(presses).toBeLessThan(8)
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('איזו תשובה טובה יותר')
      expect(await name.evaluate((each) => getComputedStyle(each).direction)).toBe('rtl')
      await page.keyboard.press('Tab')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('x')
      await page.getByText('A number from 1 to').waitFor()
      expect(await dialog.getByRole('button', { name: 'Make the queue' }).isDisabled()).toBe(true)
      expect((await checkAccessibility(page)).violations).toEqual([])
      expect(await page.evaluate(findCutOff)).toEqual([])
      await page.evaluate(() => {
        document.documentElement.dir = 'rtl'
      })
      expect(await page.evaluate(findCutOff)).toEqual([])
      // The foot stays in view, however small the window is.
      const foot = await dialog.getByRole('button', { name: 'Make the queue' }).boundingBox()
      expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    },
    { theme, width, height: 600 },
  )
})

test('a change in a cell is whole beside a judge with a long name', async () => {
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(pathOf())
      const grid = page.getByRole('treegrid')
      await grid.getByText('won', { exact: true }).first().waitFor()
      const overlaps = await grid.evaluate((element) =>
        [...element.querySelectorAll('[role=gridcell]')].flatMap((cell) => {
          const boxes = [...cell.children].map((child) => child.getBoundingClientRect())
          const isApart = boxes.every(({ left }, index) => index === 0 || left >= (boxes[index - 1]?.right ?? 0) - 0.5)
          const texts = [...cell.children].filter((child) => !child.querySelector('.cut'))
          const isWhole = texts.every((child) => child.scrollWidth <= Math.ceil(child.getBoundingClientRect().width))
          return isApart && isWhole ? [] : [cell.textContent]
        }),
      )
      expect(overlaps).toEqual([])
    },
    { width: 1280 },
  )
})
