import { expect, test } from 'bun:test'
import { until } from '../../conformance/support/until.ts'
import { answer, column, withProvider } from '../support/playground.ts'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image = `data:image/png;base64,${pixel}`

test('a message with parts is edited part by part; a long conversation is folded', async () => {
  await withProvider(async (visit, { project, stub }) => {
    const { page } = visit
    const turns = Array.from({ length: 12 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `Turn ${at}`,
    }))
    const inputs = {
      model: 'gpt-4o-mini',
      messages: [
        { role: 'system', content: 'Be kind.' },
        ...turns,
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is on it?', cache_control: { type: 'ephemeral' } },
            { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
            { type: 'image_url', image_url: { url: image, detail: 'low' } },
          ],
        },
      ],
    }
    const asked = { project_id: project.id, inputs }
    const { json } = await project.client.post<{ ext_call_id: string }>('/completions/create', asked)
    await visit.goTo(`/ui/${project.id}/playground?call=${json.ext_call_id}`)
    const a = column(page, 'A')
    const message = a.getByRole('region', { name: 'Message 14 (user), A' })
    await message.getByRole('button', { name: /User/ }).first().waitFor()
    expect(await a.getByText('Turn 3').count()).toBe(0)
    await a.getByRole('button', { name: '9 earlier messages' }).click()
    await a.getByText('Turn 3').waitFor()

    await message.getByRole('img', { name: 'Image 3' }).waitFor()
    await message.getByRole('textbox', { name: /^Part 1 of/ }).fill('What is it?')
    await message.locator('input[type=file]').setInputFiles({
      name: 'pixel.png',
      mimeType: 'image/png',
      buffer: Buffer.from(pixel, 'base64'),
    })
    await message.getByRole('img', { name: 'Image 4' }).waitFor()
    await message.getByRole('button', { name: 'Image from address' }).click()
    await message.getByRole('textbox', { name: /^Address of image 5/ }).fill('https://example.com/a.png')
    await message.getByRole('button', { name: 'Move part 5 up' }).click()
    await message.getByRole('button', { name: 'Remove part 5' }).click()
    await page.reload()
    await visit.settled()
    await a.getByRole('button', { name: 'Run A' }).click()
    await answer(page, 'A').getByText('You said').waitFor()
    await until(() => stub.requests.length === 3)
    const sent = stub.requests.at(-1)?.body
    const content = [
      { type: 'text', text: 'What is it?', cache_control: { type: 'ephemeral' } },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      { type: 'image_url', image_url: { url: image, detail: 'low' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    ]
    expect(sent).toMatchObject({ messages: [...inputs.messages.slice(0, -1), { role: 'user', content }] })
  })
})

test('an image that is pasted into a text becomes a part; without it, the text is a text again', async () => {
  await withProvider(async (visit, { project }) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/playground?prompt=sayer`)
    const message = column(page, 'A').getByRole('region', { name: 'Message 1 (user), A' })
    const text = message.getByRole('textbox', { name: 'Text of message 1, A' })
    const paste = (name: string, type: string, bytes: string) =>
      message
        .getByRole('textbox')
        .first()
        .evaluate(
          (field, file) => {
            const data = new DataTransfer()
            const content = Uint8Array.from(atob(file.bytes), (each) => each.charCodeAt(0))
            data.items.add(new File([content], file.name, { type: file.type }))
            field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
          },
          { name, type, bytes },
        )
    await text.waitFor()
    await paste('drawing.svg', 'image/svg+xml', 'AAAA')
    await page.getByText('“drawing.svg” is no PNG, JPEG, GIF or WebP image.').waitFor()
    await paste('pixel.png', 'image/png', pixel)
    await message.getByRole('img', { name: 'Image 2' }).waitFor()
    await message.getByText('As JSON').click()
    expect(await text.inputValue()).toContain('"image_url"')
    await message.getByText('By part').click()
    await message.getByRole('button', { name: 'Remove part 2' }).click()
    expect(await text.inputValue()).toBe('Say {{word}}')
  })
})
