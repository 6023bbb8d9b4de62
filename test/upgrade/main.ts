/**
 * `bun test/upgrade/main.ts CHECKOUT NAME`: fills a server of another checkout, kills it, and keeps
 * its folder with what it answered as `folders/NAME.tar.gz`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fillServer } from './fill-server.ts'
import { type Ask, type KnownAnswer, questions, valuesOf } from './questions.ts'

const [checkout, name] = process.argv.slice(2)
const folder = await mkdtemp(path.join(tmpdir(), 'upgrade-'))
const key = 'k'.repeat(40)

async function start() {
  const child = Bun.spawn(
    [process.execPath, 'src/main.ts', 'serve', '--port', '0', '--data', path.join(folder, 'data')],
    {
      cwd: checkout!,
      env: { ...process.env, TRACELAKE_ADMIN_KEY: key, TRACELAKE_LOG_LEVEL: 'error' },
      stdout: 'pipe',
      stderr: 'inherit',
    },
  )
  let output = ''
  const decoder = new TextDecoder()
  for await (const piece of child.stdout) {
    output += decoder.decode(piece, { stream: true })
    const url = /listening on (http:\/\/\S+)/.exec(output)?.[1]
    if (url !== undefined) return { child, url }
  }
  throw new Error(`Start a server of ${checkout}: ${output}`)
}

let server = await start()
const ask: Ask = async (place, body) => {
  const headers = {
    authorization: `Basic ${btoa(`api:${key}`)}`,
    'content-type': 'application/json',
    project_id: 'acme/one',
  }
  const response = await fetch(server.url + place, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}
/** Every version flushes when it is stopped. */
const flush = async () => {
  server.child.kill('SIGTERM')
  await server.child.exited
  server = await start()
}

try {
  await fillServer(ask, flush)
  const answers: KnownAnswer[] = []
  for (const question of questions) {
    const { status, text } = await ask(question.path, question.body)
    if (status === 200) answers.push({ ...question, answer: valuesOf(text) })
    else console.warn(`${question.path}: ${status} ${text.slice(0, 200)}`)
  }
  server.child.kill('SIGKILL')
  await server.child.exited
  await Bun.write(path.join(folder, 'answers.json'), JSON.stringify(answers, null, 1))
  const archive = path.join(import.meta.dir, 'folders', `${name}.tar.gz`)
  const words = ['tar', '-C', folder, '--exclude=*.secrets-key', '--exclude=data/tmp', '-czf', archive, '.']
  if ((await Bun.spawn(words).exited) !== 0) throw new Error(`Write ${archive}`)
  console.log(`${archive}: ${Bun.file(archive).size} bytes, ${answers.length} answers`)
} finally {
  server.child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
}
