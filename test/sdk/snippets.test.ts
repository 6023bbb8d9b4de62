import { expect, test } from 'bun:test'
import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import type { RunList } from '../../src/domains/evaluations/model/run-list.ts'
import { evaluationCode } from '../../src/web/snippets/evaluation-code.ts'
import type { SnippetStep } from '../../src/web/snippets/snippet.ts'
import { snippetsFor } from '../../src/web/snippets/snippets.ts'
import { freshProject, ownServer } from '../conformance/support/target.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const packages = path.join(import.meta.dir, '../../node_modules')
/** Programs wait for nothing but the server. */
const programMsMax = 110_000

/** What the AI SDK's snippet uses of OpenAI's provider; there is no OpenAI here. */
const openaiProvider = `import { MockLanguageModelV4 } from 'ai/test'
const usage = {
  inputTokens: { total: 12, noCache: 12, cacheRead: 0, cacheWrite: undefined },
  outputTokens: { total: 9, text: 9, reasoning: undefined },
}
export const openai = (modelId) =>
  new MockLanguageModelV4({
    provider: 'openai.chat',
    modelId,
    doGenerate: {
      content: [{ type: 'text', text: 'About 384,400 km.' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage,
      warnings: [],
    },
  })
`

const server = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
const { client } = server

/** The variables that a step for the shell exports. */
const exported = ({ code }: SnippetStep): Record<string, string> =>
  Object.fromEntries(
    [...code.matchAll(/(?<=^export .*)\b([A-Z_]+)=("[^"]*"|\S+)/gm)].map(([, name, value]) => [
      name!,
      value!.replace(/^"|"$/g, ''),
    ]),
  )

/** Runs the TypeScript of a snippet of the start page as it is shown there. */
async function run(id: string, projectId: string): Promise<void> {
  const snippet = snippetsFor('weave').find((each) => each.id === id)!
  const filledIn = { url: client.address, projectId, key: client.key }
  const facts = { ...filledIn, grpcUrl: null, command: './scripts/tracelake', dataFolder: null }
  await runSteps(snippet.steps(facts))
}

async function runSteps(steps: readonly SnippetStep[]): Promise<void> {
  const home = await makeTempFolder()
  try {
    const modules = path.join(home, 'node_modules')
    await mkdir(path.join(modules, '@ai-sdk/openai'), { recursive: true })
    for (const name of ['ai', 'weave', '@opentelemetry', '@ai-sdk/otel'])
      await symlink(path.join(packages, name), path.join(modules, name))
    await Bun.write(path.join(modules, '@ai-sdk/openai/package.json'), '{"type":"module","main":"index.js"}')
    await Bun.write(path.join(modules, '@ai-sdk/openai/index.js'), openaiProvider)
    const program = steps.find(({ language }) => language === 'typescript')!
    await Bun.write(path.join(home, 'snippet.ts'), program.code)
    const variables = Object.assign({}, ...steps.filter(({ language }) => language === 'shell').map(exported))
    const child = Bun.spawn([process.execPath, 'snippet.ts'], {
      cwd: home,
      env: { PATH: process.env['PATH'], HOME: home, ...variables },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: programMsMax,
    })
    const errors = await new Response(child.stderr).text()
    expect([await child.exited, errors]).toEqual([0, expect.not.stringMatching(/error/i)])
  } finally {
    await removeFolder(home)
  }
}

test('the TypeScript snippet of the start page sends a trace', async () => {
  const project = freshProject(client)
  await run('typescript', project.id)
  const calls = await project.query({})
  expect(calls.map(({ output }) => output)).toEqual([{ text: 'About 384,400 km.' }])
})

test('the AI SDK snippet of the start page sends a trace', async () => {
  const project = freshProject(client)
  await run('ai-sdk', project.id)
  const calls = await project.query({})
  expect(calls.length).toBeGreaterThan(0)
  expect(JSON.stringify(calls)).toContain('About 384,400 km.')
})

test('the TypeScript that evaluates from code makes a run over the rows, with scores of the same names', async () => {
  const project = freshProject(client)
  const rows = [
    { word: 'a', expected: '…' },
    { word: 'b', expected: 'b' },
  ]
  const { json } = await client.post<{ digest: string }>(project.v2('datasets'), { name: 'words', rows })
  const dataset = `ext:///${project.id}/object/words:${json.digest}`
  const of = { evaluation: 'words-evaluation', dataset, columns: ['word', 'expected'], scorers: ['exact'], trials: 2 }
  const facts = { url: client.address, projectId: project.id, key: client.key }
  await runSteps(evaluationCode('typescript', of, facts))
  const { json: list } = await client.post<RunList>('/evaluations/runs/query', { project_id: project.id })
  expect(list.runs).toMatchObject([
    {
      state: 'done',
      is_on_server: false,
      evaluation: { name: 'words-evaluation' },
      dataset: { name: 'words', version: 0 },
      rows_scored: 2,
      scores: [{ score: 'exact.match', value: 0.5 }],
    },
  ])
})
