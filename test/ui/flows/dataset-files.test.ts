import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { Project } from '../../conformance/support/project.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

let projects = 0
const newProject = () => new Project(world.server.client, 'acme', `dataset-files-${++projects}`)

const choose = (page: Page, name: string, text: string) =>
  page.getByLabel('File', { exact: true }).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

const csv = 'task,code,seats,note\n"Refund, please",007,2,=1+1\n"two\nlines",12345678901234567890,3,\n'

test('a file becomes a dataset, a second one is added to it, and the export gives every value back', async () => {
  const project = newProject()
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/datasets`)
    await page.getByRole('button', { name: 'Import a file' }).click()
    await choose(page, 'refund cases.csv', csv)
    await page.getByText('CSV, separated by comma, UTF-8, names in the first line, 2 rows').waitFor()
    const typeOf = (column: string) => page.getByLabel(`Type of ${column}`)
    expect([await typeOf('code').inputValue(), await typeOf('seats').inputValue()]).toEqual(['text', 'number'])
    await typeOf('note').selectOption('leave out')
    expect(await page.getByLabel('Name of the dataset').inputValue()).toBe('refund-cases')
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.waitForURL(/\/datasets\/refund-cases$/)
    await page.getByRole('gridcell', { name: '007', exact: true }).waitFor()
    await page.getByRole('gridcell', { name: '12345678901234567890' }).waitFor()

    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await choose(page, 'more.csv', 'task,code,seats\n"Refund, please",007,2\nThird,008,4\n')
    expect(await page.getByRole('radio', { name: /Add to refund-cases v0/ }).isChecked()).toBe(true)
    await page.getByText('Skip rows that are already there').click()
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('1 row imported into refund-cases as v1, 1 skipped').waitFor()
    await page.getByRole('gridcell', { name: '008', exact: true }).waitFor()

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const file = await downloading
    expect(file.suggestedFilename()).toBe('refund-cases.v1.csv')
    const text = await Bun.file(await file.path()).text()
    expect(text.replaceAll('\r\n', '\n').trimEnd()).toBe(
      'task,code,seats\n"Refund, please",007,2\n"two\nlines",12345678901234567890,3\nThird,008,4',
    )
  })
})

test('a file can be dropped on the page', async () => {
  const project = newProject()
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/dataset-import`)
    const place = page.getByText('Choose a file, or drop it here')
    await place.waitFor()
    const dataTransfer = await page.evaluateHandle((text) => {
      const dropped = new DataTransfer()
      dropped.items.add(new File([text], 'dropped.csv', { type: 'text/csv' }))
      return dropped
    }, csv)
    await place.dispatchEvent('drop', { dataTransfer })
    await page.getByRole('button', { name: 'Import 2 rows' }).waitFor()
    expect(await page.getByLabel('Name of the dataset').inputValue()).toBe('dropped')
  })
})

test('a file with faults is refused with their places, and one whose types are wrong too', async () => {
  const project = newProject()
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/${project.id}/datasets`)
      await page.getByRole('button', { name: 'Import a file' }).click()
      await choose(page, 'ragged.csv', 'a,b\n1,2\n3\n')
      await page.getByText('1 fault: the file is not imported').waitFor()
      await page.getByText(/^Line 3/).waitFor()
      expect(await page.getByRole('button', { name: /^Import/ }).isDisabled()).toBe(true)
      // What was guessed can be corrected.
      await choose(page, 'semicolons.csv', 'a;b\n1;2\n')
      await page.getByLabel('Type of b').waitFor()
      await page.getByLabel('Separator').selectOption('comma')
      await page.getByLabel('Type of a;b').waitFor()
      await choose(page, 'codes.csv', 'code\n007\n008\nx\n')
      await page.getByText('3 rows').first().waitFor()
      await page.getByText('The first lines as they are').click()
      await page.getByText('008 x').waitFor()
      await page.getByLabel('Type of code').selectOption('number')
      await page.getByRole('button', { name: 'Import 3 rows' }).click()
      await page.getByText(/^Line 4, column code: “x”/).waitFor()
      await page.getByRole('button', { name: 'Read code as text' }).click()
      await page.getByRole('button', { name: 'Import 3 rows' }).click()
      await page.getByRole('gridcell', { name: '007', exact: true }).waitFor()
    },
    { expected: [/422/] },
  )
})

test('a faulty value is corrected in place, and the other lines with faults are left out', async () => {
  const project = newProject()
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/${project.id}/dataset-import`)
      await choose(page, 'seats.csv', 'task,seats\nOne,1\nTwo,2x\nThree,n\nFour,4\nFive,\u202e<b>\n')
      await page.getByLabel('Type of seats').selectOption('number')
      await page.getByRole('button', { name: 'Import 5 rows' }).click()
      await page.getByText('3 faults: the file is not imported').waitFor()
      expect(await page.getByRole('button', { name: /^Import/ }).isDisabled()).toBe(true)
      await page.getByLabel('Another value for line 3, column seats').fill('2')
      await page.getByText('1 value corrected. Press Import to read the file with it.').waitFor()
      await page.getByRole('button', { name: 'Import 5 rows' }).click()
      await page.getByText('2 faults: the file is not imported').waitFor()
      await page.getByText('Leave out the 2 lines with faults and import the others').click()
      await page.getByRole('button', { name: 'Import without 2 lines' }).click()
      await page.getByText('3 rows imported into seats as v0, 2 lines left out').waitFor()
      await page.getByRole('gridcell', { name: 'Four', exact: true }).waitFor()
      expect(await page.getByRole('gridcell', { name: 'Three', exact: true }).count()).toBe(0)
      expect(await page.getByRole('gridcell', { name: '2', exact: true }).count()).toBe(1)
    },
    { expected: [/422/] },
  )
})

test('what was chosen for a file is there again after a reload, once the file is chosen again', async () => {
  const project = newProject()
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/dataset-import`)
    await choose(page, 'cases.csv', csv)
    await page.getByLabel('Type of seats').selectOption('text')
    await page.getByLabel('Type of note').selectOption('leave out')
    await page.getByLabel('Name of the dataset').fill('kept')
    await page.getByText('Skip rows that are already there').click()
    await page.reload()
    await page.getByText('choose “cases.csv” again').waitFor()
    expect(await page.getByLabel('Name of the dataset').inputValue()).toBe('kept')
    // Another file has its own choices.
    await choose(page, 'other.csv', 'a\n1\n')
    expect(await page.getByLabel('Type of a').inputValue()).toBe('number')
    await choose(page, 'cases.csv', csv)
    await page.getByLabel('Type of seats').waitFor()
    expect(await page.getByLabel('Type of seats').inputValue()).toBe('text')
    expect(await page.getByLabel('Type of note').inputValue()).toBe('')
    expect(await page.getByText('choose “cases.csv” again').count()).toBe(0)
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.waitForURL(/\/datasets\/kept$/)
    await visit.goTo(`/ui/${project.id}/dataset-import`)
    await page.getByText('Choose a file, or drop it here').waitFor()
    expect(await page.getByText('choose “cases.csv” again').count()).toBe(0)
  })
})

test('a key that only reads exports, and has no button that imports', async () => {
  const project = newProject()
  const rows = [{ task: 'One' }]
  await world.server.client.post(`/v2/${project.id}/datasets`, { name: 'cases', rows })
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/${project.id}/datasets/cases`)
      await page.getByRole('button', { name: 'Export' }).waitFor()
      expect(await page.getByRole('button', { name: 'Import' }).count()).toBe(0)
      await visit.goTo(`/ui/${project.id}/datasets`)
      await page.getByText('cases').first().waitFor()
      expect(await page.getByRole('button', { name: 'Import a file' }).count()).toBe(0)
    },
    { role: 'read' },
  )
})
