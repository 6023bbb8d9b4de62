import { expect, test } from 'bun:test'
import { join } from 'node:path'
import process from 'node:process'
import { generateApi } from 'swagger-typescript-api'
import type { Client } from '../conformance/support/client.ts'
import { freshProject, sharedServer } from '../conformance/support/target.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const compiler = join(import.meta.dir, '../../node_modules/.bin/tsc')

test('a client generated from the OpenAPI document compiles in a separate program and works', async () => {
  const server = await sharedServer()
  const folder = await makeTempFolder()
  try {
    await Bun.write(join(folder, 'client.ts'), await generateClient(server))
    await Bun.write(join(folder, 'stranger.ts'), Bun.file(join(import.meta.dir, 'generated/stranger.ts.txt')))
    expect(await compile(folder)).toBe('')
    const { id } = freshProject(server)
    const output = await run([process.execPath, 'stranger.ts', server.address, server.key, id], folder)
    expect(JSON.parse(output)).toEqual({
      sameTrace: true,
      output: 'Hello you',
      content: 'some bytes',
      total_size_bytes: 10,
      rows: [
        [{ n: 3 }, 1],
        [{ n: 2 }, 0],
      ],
      removed: true,
      object: { a: 1 },
      refused: '404 NotFound',
    })
  } finally {
    await removeFolder(folder)
  }
}, 120_000)

/** The source of a client for everything that `/openapi.json` describes. */
async function generateClient(server: Client): Promise<string> {
  const { json: spec } = await server.get<Record<string, unknown>>('/openapi.json')
  const { files } = await generateApi({ spec: spec as never, output: false, httpClientType: 'fetch', silent: true })
  return files[0]!.fileContent
}

/** What the compiler has to say about the program, in its strictest mood. */
async function compile(folder: string): Promise<string> {
  await Bun.write(join(folder, 'env.d.ts'), 'declare const process: { argv: string[] }\n')
  const options =
    '--strict --noEmit --target esnext --module esnext --moduleResolution bundler --lib esnext,dom,dom.iterable'
  const sources = ['client.ts', 'stranger.ts', 'env.d.ts'].map((name) => join(folder, name))
  const words = ['--bun', compiler, ...options.split(' '), '--allowImportingTsExtensions', '--types', '', ...sources]
  return await run([process.execPath, ...words], folder).catch((cause: Error) => cause.message)
}

async function run(words: string[], cwd: string): Promise<string> {
  const child = Bun.spawn(words, { cwd, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (exitCode !== 0) throw new Error(`${words.slice(0, 3).join(' ')}: ${output}${errors}`)
  return output
}
