import { afterAll, expect, test } from 'bun:test'
import { symlink } from 'node:fs/promises'
import path from 'node:path'
import type { KnownAnswers } from '../../scripts/stub-model/answer.ts'
import { startStubModel } from '../../scripts/stub-model/server.ts'
import { Project } from '../conformance/support/project.ts'
import type { ServerProcess } from '../conformance/support/server-process.ts'
import { ownServer } from '../conformance/support/target.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { addAirlineCalls } from './airline-calls.ts'
import { blocksNotRun } from './blocks-not-run.ts'
import { blocksOf, runScript } from './commands.ts'
import { addDemoCalls } from './demo-calls.ts'
import { root } from './documents.ts'
import { type PageRun, pageRuns } from './page-runs.ts'

const answers: KnownAnswers = Object.assign({}, ...pageRuns.map((run) => run.answers))
const stub = startStubModel({ port: 0, answers })
afterAll(() => stub.stop())
const server = await ownServer({
  env: { TRACELAKE_OPENAI_BASE_URL: `${stub.url}/v1`, OPENAI_API_KEY: 'any', TRACELAKE_PRIVATE_HOSTS: '127.0.0.1' },
})

for (const run of pageRuns)
  test(`the commands of ${run.file} work`, async () => {
    const folder = await makeTempFolder()
    try {
      if (run.needs === 'airline') await addAirlineCalls(new Project(server.client, 'airline', 'one'))
      if (run.needs === 'demo') await addDemoCalls(server.client)
      await symlink(path.join(root, 'CHANGELOG.md'), path.join(folder, 'CHANGELOG.md'))
      await Bun.write(path.join(folder, 'openai.key'), 'any')
      const output = await runScript(await scriptOf(run, server, folder))
      expect(output).not.toContain('error_type')
      for (const text of run.expected) expect(output).toContain(text)
    } finally {
      await removeFolder(folder)
    }
  }, 300_000)

/** The blocks of a page, with the server of this test, in an empty folder. */
async function scriptOf(
  { file, replace = {} }: PageRun,
  { adminKey, client, data }: ServerProcess,
  folder: string,
): Promise<string> {
  const left = Object.keys(blocksNotRun[file] ?? {})
  const blocks = (await blocksOf(file)).filter((block) => !left.some((text) => block.includes(text)))
  const script = blocks
    .join('\n')
    .replaceAll('http://127.0.0.1:8470', client.address)
    .replaceAll('http://127.0.0.1:8480', stub.url)
    .replaceAll('https://traces.example.com', client.address)
    .replaceAll('/mnt/backup/tracelake', `${folder}/backup`)
    .replaceAll('--data ./data', `--data '${data}'`)
    .replaceAll(/KEY=…/g, `KEY=${adminKey}`)
  const filled = Object.entries(replace).reduce((text, [from, to]) => text.replaceAll(from, () => to), script)
  const { port } = new URL(client.address)
  return `cd '${folder}'
export ADMIN_KEY=${adminKey} TRACELAKE_DATA='${data}' TRACELAKE_PORT=${port}
KEY=${adminKey} URL=${client.address}
${filled}`
}
