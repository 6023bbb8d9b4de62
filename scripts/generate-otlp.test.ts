import { expect, test } from 'bun:test'
import path from 'node:path'

test('the generated decoder is up to date', async () => {
  const child = Bun.spawn([path.join(import.meta.dir, 'generate-otlp'), '--check'], { stderr: 'pipe' })
  const complaint = await new Response(child.stderr).text()
  expect(await child.exited, complaint).toBe(0)
}, 60_000)
