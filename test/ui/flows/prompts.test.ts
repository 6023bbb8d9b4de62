import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { Project } from '../../conformance/support/project.ts'
import { until } from '../../conformance/support/until.ts'
import type { Visit } from '../support/visit.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

const bases = ['Prompt', 'Object', 'BaseModel']
let projects = 0

/** A project of its own with the prompt `greeting` in two versions; `production` is the first. */
async function withPrompt() {
  const { client } = world.server
  const project = new Project(client, 'acme', `prompts-${++projects}`)
  const contents = ['Be kind to {{name}}.', 'Be kind and brief to {{name}}.'].map((content) => ({
    _type: 'MessagesPrompt',
    _class_name: 'MessagesPrompt',
    _bases: bases,
    messages: [
      { role: 'system', content },
      { role: 'user', content: '{{question}}' },
    ],
    template_format: 'mustache',
    variables: { name: { type: 'text', example: 'Ann' }, question: { type: 'text', example: 'How are you?' } },
  }))
  const create = async (val: unknown): Promise<string> => {
    const obj = { project_id: project.id, object_id: 'greeting', val }
    const { status, json, text } = await client.post<{ digest: string }>('/obj/create', { obj })
    if (status !== 200) throw new Error(`Create a prompt: ${status} ${text}`)
    return json.digest
  }
  const digests = [await create(contents[0]), await create(contents[1])] as const
  const body = { project_id: project.id, digest: digests[0], aliases: ['production'] }
  await client.put('/objs/greeting/aliases', body)
  const read = async (digest: string) => {
    const asked = { project_id: project.id, object_id: 'greeting', digest }
    return (await client.post<{ obj: StoredVersion }>('/obj/read', asked)).json.obj
  }
  const path = `/ui/${project.id}/prompts/greeting`
  return { project, create, contents, digests, read, path }
}

interface StoredVersion {
  readonly digest: string
  readonly version_index: number
  readonly val: { readonly messages: readonly { readonly content: string }[]; readonly description: string | null }
}

/** Types at the end of the first message. */
async function typeInFirst({ page }: Visit, text: string): Promise<void> {
  await page.getByLabel('Text of message 1', { exact: true }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

const saveBar = (page: Page) => page.getByRole('region', { name: 'Not saved' })

test('a prompt is changed, saved as a version, compared, and made production; one click moves it back', async () => {
  const { read, path, project } = await withPrompt()
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(path)
    await typeInFirst(visit, ' Name the refund in USD.')
    await saveBar(page).getByRole('textbox', { name: 'What changed' }).fill('Names the currency')
    // What is not saved survives a reload.
    await page.reload()
    await visit.settled()
    await saveBar(page).waitFor()
    expect(await page.getByLabel('Text of message 1', { exact: true }).inputValue()).toContain('refund in USD')
    await page.keyboard.press('Control+s')
    await page.getByText('greeting v2 saved').waitFor()
    await saveBar(page).waitFor({ state: 'detached' })
    await page.getByText('Names the currency').waitFor()
    // Saving again makes no version.
    await page.keyboard.press('Control+s')
    const saved = await read('latest')
    expect([saved.version_index, saved.val.description]).toEqual([2, 'Names the currency'])
    expect(saved.val.messages[0]?.content).toBe('Be kind and brief to {{name}}. Name the refund in USD.')

    await page.getByRole('heading', { name: 'Versions' }).click()
    await page.keyboard.press('d')
    await page.waitForURL(/\?from=.*&to=/)
    await visit.settled()
    await page.getByText('1 of 2 messages changed').waitFor()
    expect(await page.getByRole('combobox', { name: 'From version' }).locator('option:checked').textContent()).toBe(
      'v0 · production',
    )
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Move “production” of greeting').waitFor()
    expect(await dialog.textContent()).toMatch(/fromv0.*tov2/)
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Customers ask in which currency')
    await page.keyboard.press('Control+Enter')
    await page.getByText('production of greeting: v0 → v2').waitFor()
    expect((await read('production')).digest).toBe(saved.digest)
    await page.getByRole('button', { name: 'Undo' }).click()
    await until(async () => (await read('production')).version_index === 0)
  })
  // A move is there before it is in the audit log.
  const moves = async (): Promise<AuditEntry[]> => {
    const { json } = await world.server.client.post<{ entries: AuditEntry[] }>('/audit/query', {
      operation: 'objects.setAliases',
    })
    return json.entries.filter(({ project_ids }) => project_ids.includes(project.id))
  }
  await until(async () => (await moves()).length >= 3)
  const latest = await read('latest')
  const first = await read('v0')
  expect((await moves()).slice(0, 2).map(({ item_ids }) => item_ids)).toEqual([
    ['greeting', 'production', latest.digest, first.digest],
    ['greeting', 'production', first.digest, latest.digest],
  ])
  expect((await moves()).map(({ reason }) => reason)).toEqual([null, 'Customers ask in which currency', null])
})

interface AuditEntry {
  readonly project_ids: readonly string[]
  readonly item_ids: readonly string[]
  readonly reason: string | null
}

test('a save that another one came before is refused: both are shown, and nothing is lost', async () => {
  const { create, contents, read, path } = await withPrompt()
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(path)
      await typeInFirst(visit, ' Mine.')
      await create({ ...contents[1], model: 'theirs' })
      await page.keyboard.press('Control+s')
      await page.getByText('Yours is kept.').waitFor()
      expect((await read('latest')).version_index).toBe(2)
      expect(
        await saveBar(page)
          .getByRole('button', { name: /Save v3/ })
          .isDisabled(),
      ).toBe(true)
      await page.getByRole('button', { name: 'Show both' }).click()
      await page.waitForURL(/to=draft/)
      await visit.settled()
      await page.getByRole('region', { name: 'System' }).getByText('Mine.').waitFor()
      await page.getByRole('button', { name: 'Editor' }).click()
      await page.getByRole('button', { name: 'Save as v3' }).click()
      await page.getByText('greeting v3 saved').waitFor()
      expect((await read('latest')).val.messages[0]?.content).toEndWith(' Mine.')
    },
    { expected: [/409/] },
  )
})

test('a variable that is begun is completed with those of the prompt', async () => {
  const { path } = await withPrompt()
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(path)
    const text = page.getByLabel('Text of message 1', { exact: true })
    await typeInFirst(visit, ' Answer {{')
    const list = page.getByRole('listbox', { name: 'Variables' })
    await list.waitFor()
    expect(await list.getByRole('option').allTextContents()).toEqual(['name', 'question'])
    await page.keyboard.type('q')
    expect(await list.getByRole('option').allTextContents()).toEqual(['question'])
    await page.keyboard.press('Enter')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.type('!')
    expect(await text.inputValue()).toBe('Be kind and brief to {{name}}. Answer {{question}}!')
    // With the mouse, then away with escape; undo takes back what was inserted.
    await page.keyboard.type(' {{')
    await list.getByRole('option', { name: 'name' }).click()
    expect(await text.inputValue()).toEndWith('! {{name}}')
    await page.keyboard.press('Control+z')
    expect(await text.inputValue()).not.toEndWith('{{name}}')
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' {{')
    await list.waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
  })
})

test('two people move production: each sees where it is, and the audit log has both moves in order', async () => {
  const { create, contents, read, path, project, digests } = await withPrompt()
  const third = await create({ ...contents[1], model: 'gpt-4o' })
  const openDialog = async ({ page }: Visit, digest: string) => {
    await page.getByRole('button', { name: `Version ${digest === third ? 2 : 1}` }).click()
    await page.getByRole('menuitem', { name: 'Move production here…' }).click()
    await page.getByRole('dialog').getByText('Move “production” of greeting').waitFor()
  }
  await world.visit(async (one) => {
    await one.goTo(path)
    await openDialog(one, digests[1])
    await world.visit(
      async (other) => {
        await other.goTo(path)
        await openDialog(other, third)
        await one.page.getByRole('textbox', { name: 'Reason' }).fill('first')
        await one.page.keyboard.press('Control+Enter')
        await one.page.getByText('production of greeting: v0 → v1').waitFor()
        // The other dialog says so, and moves nothing until it is confirmed again.
        await other.page.getByRole('textbox', { name: 'Reason' }).fill('second')
        await other.page.keyboard.press('Control+Enter')
        await other.page.getByText('production was moved after you opened this page.').waitFor()
        expect((await read('production')).digest).toBe(digests[1])
        await other.page.keyboard.press('Control+Enter')
        await other.page.getByText('production of greeting: v1 → v2').waitFor()
      },
      { expected: [/409/] },
    )
  })
  expect((await read('production')).digest).toBe(third)
  const moves = async (): Promise<AuditEntry[]> => {
    const body = { operation: 'objects.setAliases', is_failed: false }
    const { json } = await world.server.client.post<{ entries: AuditEntry[] }>('/audit/query', body)
    return json.entries.filter(({ project_ids, reason }) => project_ids.includes(project.id) && reason !== null)
  }
  expect((await moves()).map(({ item_ids, reason }) => [reason, ...item_ids.slice(2)])).toEqual([
    ['second', digests[1], third],
    ['first', digests[0], digests[1]],
  ])
})

test('two people save: the second is refused, sees both versions, and loses no word', async () => {
  const { read, path } = await withPrompt()
  await world.visit(async (one) => {
    await one.goTo(path)
    await typeInFirst(one, ' Say it briefly.')
    await world.visit(
      async (other) => {
        const { page } = other
        await other.goTo(path)
        await typeInFirst(other, ' Say it in French.')
        await one.page.keyboard.press('Control+s')
        await one.page.getByText('greeting v2 saved').waitFor()
        await page.keyboard.press('Control+s')
        await page.getByText('Yours is kept.').waitFor()
        await page.getByRole('button', { name: 'Show both' }).click()
        await page.waitForURL(/to=draft/)
        await other.settled()
        const words = page.getByRole('region', { name: 'System' })
        await words.getByText('briefly').waitFor()
        await words.getByText('French').waitFor()
        // What is not saved is still there after a reload.
        await other.goTo(path)
        const text = await page.getByLabel('Text of message 1', { exact: true }).inputValue()
        expect(text).toEndWith(' Say it in French.')
      },
      { expected: [/409/] },
    )
  })
  const stored = await read('latest')
  expect([stored.version_index, stored.val.messages[0]?.content]).toEqual([
    2,
    'Be kind and brief to {{name}}. Say it briefly.',
  ])
})

describe('what is wrong is said before it is saved', () => {
  test.each([
    ['an open variable', '\nTier {{tier', 'Message 1 (system), line 2, column 6: “{{” is not closed by “}}”'],
  ])('%s', async (_, typed, words) => {
    const { path, read } = await withPrompt()
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(path)
      await typeInFirst(visit, typed)
      await saveBar(page).getByText(words).waitFor()
      expect(await saveBar(page).getByRole('button', { name: /Save/ }).isDisabled()).toBe(true)
      await page.keyboard.press('Control+s')
      await page.keyboard.type('}}')
      await saveBar(page).getByText('“tier” has no example').waitFor()
      expect(await saveBar(page).getByRole('button', { name: /Save/ }).isDisabled()).toBe(false)
      expect((await read('latest')).version_index).toBe(1)
    })
  })

  test('a schema that is none, with its place', async () => {
    const { path } = await withPrompt()
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(path)
      await page.getByRole('button', { name: /Response schema/ }).click()
      await page.getByRole('textbox', { name: /Response schema/ }).fill('{\n  "type": "strnig"\n}')
      await saveBar(page).getByText('Response schema, line 2, column 11: “type” is "strnig"').waitFor()
      await page.getByRole('textbox', { name: /Response schema/ }).fill('')
      await saveBar(page).waitFor({ state: 'detached' })
    })
  })

  test('a tool result without its call', async () => {
    const { path } = await withPrompt()
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(path)
      await page.getByRole('combobox', { name: 'Role of message 2' }).selectOption('tool')
      await saveBar(page).getByText('Message 2 (tool): it does not name the call that it answers').waitFor()
    })
  })
})

test('a key that may only read sees versions and comparisons, and no control that writes', async () => {
  const { path, digests } = await withPrompt()
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(path)
      await page.getByText('read only').waitFor()
      expect(await page.getByLabel('Text of message 1', { exact: true }).isEditable()).toBe(false)
      for (const name of [/^Save/, /Message alt/, /New prompt/, /^Discard/])
        expect(await page.getByRole('button', { name }).count()).toBe(0)
      await page.getByRole('button', { name: 'Version 0' }).click()
      expect(await page.getByRole('menuitem').allTextContents()).not.toContain('Move production here…')
      await page.keyboard.press('Escape')
      await visit.goTo(`${path}?from=${digests[0]}&to=${digests[1]}`)
      expect(await page.getByRole('button', { name: /Move production/ }).count()).toBe(0)
      await page.keyboard.press('m')
      expect(await page.getByRole('dialog').count()).toBe(0)
    },
    { role: 'read' },
  )
})

test('a new prompt is named, and stored when it is saved', async () => {
  const project = new Project(world.server.client, 'acme', `prompts-${++projects}`)
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/prompts`)
    await page.getByRole('button', { name: 'New prompt' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('a b/c')
    await dialog.getByText('only').waitFor()
    await dialog.getByRole('textbox').fill('要約')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/prompts/${encodeURIComponent('要約')}`)
    await visit.settled()
    await page.keyboard.press('Control+s')
    await page.getByText('要約 v0 saved').waitFor()
    await page.getByRole('navigation', { name: 'Prompts' }).getByRole('link', { name: /要約/ }).waitFor()
  })
})

test('the list of objects leads to each of them, and two versions stand beside each other', async () => {
  const { project } = await withPrompt()
  await project.client.post('/obj/create', {
    obj: { project_id: project.id, object_id: 'limits', val: { max: 1, kept: true } },
  })
  await project.client.post('/obj/create', {
    obj: { project_id: project.id, object_id: 'limits', val: { max: 2, kept: true } },
  })
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/objects`)
    await page.getByRole('searchbox').fill('lim')
    await page.getByRole('link', { name: /limits/ }).click()
    await page.waitForURL('**/object/limits')
    await visit.settled()
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.waitForURL(/from=/)
    await visit.settled()
    const rows = page.getByRole('table', { name: 'Content' }).getByRole('row')
    expect((await rows.allTextContents()).filter((row) => row.includes('max'))).toEqual([
      expect.stringMatching(/-\s*"max": 1.*\+\s*"max": 2/),
    ])
  })
})
