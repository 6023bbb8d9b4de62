import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatasetFiles } from '../support/datasets.ts'
import { credentials, formBytes, formType } from '../support/files.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { until } from '../support/until.ts'

test('a lost connection leaves no version and no file', async () => {
  const server = await ownServer()
  const data = new DatasetFiles(freshProject(server.client))
  const form = formBytes([
    { member: 'project_id', content: data.project.id },
    { member: 'options', content: '{"name":"data"}' },
    { member: 'file', content: `a\n${'x\n'.repeat(2_000_000)}`, fileName: 'a.csv' },
  ])
  const { hostname, port } = new URL(server.client.address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const head = {
    host: hostname,
    ...credentials(server.client),
    'content-type': formType,
    'content-length': String(form.byteLength),
  }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /datasets/import HTTP/1.1\r\n${lines.join('')}\r\n`)
  socket.write(form.subarray(0, form.byteLength - 1000))
  const imports = async () => (await readdir(join(server.data, 'tmp'))).filter((name) => name.endsWith('.import'))
  await until(async () => (await imports()).length === 1)
  socket.destroy()
  await until(async () => (await imports()).length === 0)
  expect(await data.versions()).toBe(0)
})
