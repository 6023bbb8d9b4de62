import { expect, test } from 'bun:test'
import type { Client } from '../support/client.ts'
import { upload } from '../support/files.ts'
import { Project } from '../support/project.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()

const bytesOf = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const png = bytesOf(`\x89PNG\r\n\x1a\n${'0123456789'.repeat(10)}`)

async function stored(project: Project, content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const { status, json } = await upload(project, { content })
  expect(status).toBe(200)
  return json.digest
}

const pathOf = ({ entity, name }: Project, digest: string) =>
  `/files/${encodeURIComponent(entity)}/${encodeURIComponent(name)}/${digest}`
const show = (project: Project, digest: string, headers: Record<string, string> = {}, client: Client = server.client) =>
  client.get<{ reason: string }>(pathOf(project, digest), { headers })

test('shows a picture with the type of its bytes, sandboxed', async () => {
  const project = freshProject(server.client)
  const digest = await stored(project, png)
  const answer = await show(project, digest)
  expect(answer.status).toBe(200)
  expect(answer.bytes).toEqual(png)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': 'inline',
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    etag: `"${digest}"`,
  })
  expect((await show(project, digest, { 'if-none-match': `"${digest}"` })).status).toBe(304)
})

test('sends ranges, so that players can seek', async () => {
  const project = freshProject(server.client)
  const digest = await stored(project, png)
  const answer = await show(project, digest, { range: 'bytes=8-17' })
  expect(answer.status).toBe(206)
  expect(answer.text).toBe('0123456789')
  expect(answer.headers.get('content-range')).toBe(`bytes 8-17/${png.length}`)
  expect(answer.headers.get('content-type')).toBe('image/png')
  expect((await show(project, digest, { range: 'bytes=1000-' })).status).toBe(416)
})

test('downloads what a browser must not show', async () => {
  const project = freshProject(server.client)
  const types = async (content: string) => {
    const { headers } = await show(project, await stored(project, bytesOf(content)))
    expect(headers.get('content-disposition')).toBe('attachment')
    expect(headers.get('content-security-policy')).toBe('sandbox')
    return headers.get('content-type')
  }
  expect(await types('%PDF-1.7 …')).toBe('application/pdf')
  for (const content of ['<html><script>alert(1)</script>', '<svg onload="alert(1)"/>', '{}', '']) {
    expect(await types(content)).toBe('application/octet-stream')
  }
})

test('names of projects may have spaces', async () => {
  const project = freshProject(server.client)
  const spaced = new Project(server.client, project.entity, 'a b')
  expect((await show(spaced, await stored(spaced, png))).status).toBe(200)
})

test('is restricted to the projects of the key and to files of the project', async () => {
  const project = freshProject(server.client)
  const digest = await stored(project, png)
  const other = freshProject(server.client)
  expectRefusal(await show(other, digest), 404, digest)
  const reader = server.client.withKey(await server.createKey({ name: 'reader', role: 'read', scope: project.id }))
  expect((await show(project, digest, {}, reader)).status).toBe(200)
  expectRefusal(await show(other, digest, {}, reader), 403)
  expect((await server.client.get(pathOf(project, digest), { key: null })).status).toBe(401)
})
