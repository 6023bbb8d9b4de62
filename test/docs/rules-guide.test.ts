import { expect, test } from 'bun:test'
import { Rules, WebhookReceiver } from '../conformance/support/rules.ts'
import { StubCollector } from '../conformance/support/stub-collector.ts'
import { freshProject, ownServer } from '../conformance/support/target.ts'
import { blocksOf, runScript } from './commands.ts'

const server = await ownServer({ env: { TRACELAKE_PRIVATE_HOSTS: '127.0.0.1' } })

test('the commands of the guide to rules work', async () => {
  using hook = new WebhookReceiver()
  using collector = new StubCollector()
  const project = freshProject(server.client)
  await project.complete({ id: 'a', inputs: { question: 'a refund, please' }, output: 'yes' })
  const script = (await blocksOf('docs/guide/rules.md'))
    .join('\n')
    .replace('KEY=…', `KEY=${server.adminKey}`)
    .replace('http://127.0.0.1:8470', server.client.address)
    .replace('P=acme/bot', `P=${project.id}`)
    .replace('https://example.com/hook', hook.url)
    .replace('http://collector.example.com:4318', new URL(collector.url).origin)
    .replaceAll('Bearer …', 'Bearer key')
  const output = await runScript(script)
  expect(output).not.toContain('error_type')
  expect(output).toContain('"rule.test"')
  expect(output).toContain('"Too many errors"')
  expect(output).toContain('1 calls sent')
  const { rules } = (await new Rules(project).list()).json
  expect(rules.map(({ name }) => name)).toEqual(['Score answers', 'Score all', 'Collect refunds', 'To the collector'])
}, 120_000)
