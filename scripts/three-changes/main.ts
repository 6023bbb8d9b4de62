/**
 * Makes the three changes of CONTRIBUTING.md in a throw-away copy of the repository, counts the
 * files that each touches, and uses them over HTTP. Exits with 1 where a change touches too many or
 * does not work.
 */
import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Change, changes, type Edit } from './changes.ts'

const root = path.join(import.meta.dir, '../..')
const adminKey = 'three-changes-admin-key'
const project = 'team/demo'
const folder = await mkdtemp(path.join(tmpdir(), 'tracelake-changes-'))
try {
  for (const name of ['src', 'test', 'scripts', 'package.json', 'tsconfig.json']) {
    await cp(path.join(root, name), path.join(folder, name), { recursive: true })
  }
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  for (const change of changes) await apply(change)
  run(['node_modules/.bin/tsc', '--noEmit', '-p', '.'])
  await useOverHttp()
  console.log('The program works with all three.')
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function apply({ title, filesMax, edits }: Change): Promise<void> {
  for (const edit of edits) await write(edit)
  const files = [...new Set(edits.map(({ file }) => file))]
  console.log(`${title}: ${files.length} files (at most ${filesMax})\n${files.map((file) => `  ${file}`).join('\n')}`)
  assert(files.length <= filesMax, `${title} touches ${files.length} files`)
}

async function write(edit: Edit): Promise<void> {
  const file = path.join(folder, edit.file)
  if ('content' in edit) {
    await Bun.write(file, edit.content)
    return
  }
  const anchor = 'after' in edit ? edit.after : edit.before
  const [start, end, ...more] = (await Bun.file(file).text()).split(anchor)
  assert(end !== undefined && more.length === 0, `Edit ${edit.file}: "${anchor.trim()}" is not in it once`)
  await Bun.write(file, start + ('after' in edit ? anchor + edit.insert : edit.insert + anchor) + end)
}

function run(command: readonly string[]): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['bun', ...command], { cwd: folder })
  assert.equal(exitCode, 0, `${command.join(' ')} failed:\n${stdout}${stderr}`)
}

async function useOverHttp(): Promise<void> {
  const server = Bun.spawn([process.execPath, 'src/start.ts', 'serve', '--port', '0', '--data', 'data'], {
    cwd: folder,
    env: { ...process.env, TRACELAKE_ADMIN_KEY: adminKey, TRACELAKE_LOG_LEVEL: 'warn' },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  try {
    const url = await addressOf(server.stdout)
    await useMember(url)
    await useOperation(url)
    await useTable(url)
  } finally {
    server.kill('SIGTERM')
    await server.exited
  }
}

function literal(field: string, value: string): object {
  return { $expr: { $eq: [{ $getField: field }, { $literal: value }] } }
}

async function useMember(url: string): Promise<void> {
  for (const [id, environment] of [
    ['one', 'production'],
    ['two', 'staging'],
  ] as const) {
    const start = { project_id: project, id, trace_id: id, op_name: 'op', started_at: '2026-01-01T00:00:00Z' }
    await post(url, '/call/start', { start: { ...start, attributes: {}, inputs: {}, environment } })
  }
  const { calls } = await post(url, '/calls/query', { project_id: project, query: literal('environment', 'staging') })
  assert.deepEqual(
    (calls as { id: string; environment: string }[]).map(({ id, environment }) => [id, environment]),
    [['two', 'staging']],
  )
  const { call } = await post(url, '/call/read', { project_id: project, id: 'one' })
  assert.equal((call as { environment: string }).environment, 'production')
}

async function useOperation(url: string): Promise<void> {
  const target = `ext:///${project}/call/one`
  for (const note of ['good', 'better']) {
    const feedback = {
      project_id: project,
      weave_ref: target,
      ext_ref: target,
      feedback_type: 'note',
      payload: { note },
    }
    await post(url, '/feedback/create', feedback)
  }
  const counted = await post(url, '/feedback/count', { project_id: project, query: literal('feedback_type', 'note') })
  assert.deepEqual(counted, { count: 2 })
}

async function useTable(url: string): Promise<void> {
  const create = (message: string) =>
    post(url, '/alerts/create', { project_id: project, call_id: 'one', message, details: { message } })
  const { id } = await create('slow')
  await create('wrong')
  const messages = async (query?: object): Promise<unknown[]> => {
    const { alerts } = await post(url, '/alerts/query', { project_id: project, ...(query && { query }) })
    return (alerts as { message: string; details: { message: string } }[]).map(({ message, details }) => {
      assert.equal(details.message, message)
      return message
    })
  }
  assert.deepEqual((await messages()).sort(), ['slow', 'wrong'])
  assert.deepEqual(await messages(literal('message', 'slow')), ['slow'])
  assert.deepEqual(await messages(literal('details.message', 'wrong')), ['wrong'])
  const exact = '{"message":"exact","numbers":[1.0,12345678901234567890]}'
  const sent = JSON.stringify({ project_id: project, call_id: 'one', message: 'exact', details: 0 })
  const alert = JSON.parse(await postText(url, '/alerts/create', sent.replace('"details":0', `"details":${exact}`)))
  const shown = await postText(url, '/alerts/query', JSON.stringify({ project_id: project }))
  assert(shown.includes(`"details":${exact}`), `The numbers in the details of an alert have changed: ${shown}`)
  for (const { id: deleted } of [{ id }, alert] as { id: string }[])
    await post(url, '/alerts/delete', { project_id: project, query: literal('id', deleted) })
  assert.deepEqual(await messages(), ['wrong'])
}

async function post(url: string, target: string, body: object): Promise<Record<string, unknown>> {
  return JSON.parse(await postText(url, target, JSON.stringify(body))) as Record<string, unknown>
}

async function postText(url: string, target: string, body: string): Promise<string> {
  const response = await fetch(url + target, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body,
  })
  const text = await response.text()
  assert(response.ok, `POST ${target} answered ${response.status}: ${text}`)
  return text
}

async function addressOf(output: ReadableStream<Uint8Array>): Promise<string> {
  let said = ''
  const decoder = new TextDecoder()
  for await (const bytes of output) {
    said += decoder.decode(bytes, { stream: true })
    const url = /listening on (http:\/\/[\w.:[\]-]+)/.exec(said)?.[1]
    if (url !== undefined) return url
  }
  throw new Error(`Start the server: it ended and said "${said}"`)
}
