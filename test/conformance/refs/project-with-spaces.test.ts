import { describe, expect, test } from 'bun:test'
import { Project } from '../support/project.ts'
import { ownServer } from '../support/target.ts'

const { client } = await ownServer()

/**
 * Client packages write project names into refs unescaped; this server, like others, escapes them.
 */
describe('refs into a project whose name has spaces', () => {
  const project = new Project(client, `my team ${crypto.randomUUID()}`, 'first project')
  const escaped = project.id.split('/').map(encodeURIComponent).join('/')
  const paths = [project.id, escaped]
  const schemes = ['ext:///', 'weave:///']

  test('match calls in either spelling', async () => {
    const { digest } = (
      await client.post<{ digest: string }>('/obj/create', {
        obj: { project_id: project.id, object_id: 'm', val: { size: 3 } },
      })
    ).json
    const ids = ['plain', 'escaped']
    for (const [at, path] of paths.entries()) {
      const model = `ext:///${path}/object/m:${digest}`
      await project.complete({ id: ids[at]!, op_name: `ext:///${path}/op/ask:v1`, inputs: { model }, output: model })
    }
    for (const prefix of schemes.flatMap((scheme) => paths.map((path) => `${scheme}${path}`))) {
      for (const filter of [
        { op_names: [`${prefix}/op/ask:v1`] },
        { op_names: [`${prefix}/op/ask:*`] },
        { input_refs: [`${prefix}/object/m:${digest}`] },
        { input_refs: [`${prefix}/object/m:*`] },
        { output_refs: [`${prefix}/object/m:${digest}`] },
      ]) {
        expect((await project.idsOf({ filter })).toSorted()).toEqual(ids.toSorted())
      }
    }
    const calls = await project.query({ expand_columns: ['inputs.model'] })
    expect(calls.map(({ inputs }) => inputs['model'])).toMatchObject([{ size: 3 }, { size: 3 }])
    expect(calls.map(({ summary }) => summary.ext?.trace_name)).toEqual(['ask', 'ask'])
  })

  test('text that only starts like a ref is not one', async () => {
    const prose = `ext:///${project.id}/object/m:v0 is what was used`
    await project.complete({ id: 'prose', op_name: 'o', inputs: { prose } })
    expect(await project.idsOf({ filter: { input_refs: [prose] } })).toEqual([])
  })
})
