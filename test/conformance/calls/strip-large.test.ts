import { describe, expect, test } from 'bun:test'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'

const MiB = 1024 * 1024
const large = (bytes: number) => 'x'.repeat(bytes)

const stripping = (dialect: string) => ownServer({ env: { TRACELAKE_DIALECT: dialect, TRACELAKE_STRIP_LARGE: 'on' } })
const [ext, weave] = [await stripping('ext'), await stripping('weave')]

describe.each([
  ['ext', '_ext', ext.client],
  ['weave', '_weave', weave.client],
] as const)('calls that are too large, stripped in the dialect %s', (_dialect, member, client) => {
  const mark = { [member]: { error: '<EXCEEDS_LIMITS>' } }

  test('lose the largest parts, as many as it takes', async () => {
    const project = freshProject(client)
    const manyKeys = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [String(index), index]))
    await project.start({ id: 'a', inputs: { manyKeys }, attributes: { env: 'test' } })
    await project.end({ id: 'a', output: large(4 * MiB), summary: { note: 'kept' } })
    const call = await project.readExisting('a')
    expect(call.inputs).toEqual(mark)
    expect(call.output).toEqual(mark)
    expect(call).toMatchObject({ attributes: { env: 'test' }, summary: { note: 'kept' } })
  })

  test('leave the others of a batch alone, also in large ones', async () => {
    const project = freshProject(client)
    await project.complete(
      { id: 'fits', inputs: { x: large(3 * MiB) } },
      { id: 'together', inputs: { x: large(2 * MiB) }, output: large(1.9 * MiB) },
    )
    expect((await project.readExisting('fits')).inputs).toEqual({ x: large(3 * MiB) })
    const together = await project.readExisting('together')
    expect(together.inputs).toEqual(mark)
    expect(together.output).toEqual(large(1.9 * MiB))
    await project.add({ id: 'parts', inputs: { x: large(3.6 * MiB) }, output: 'short' })
    expect(await project.readExisting('parts')).toMatchObject({ inputs: mark, output: 'short' })
  })
})

test('calls that are large are kept whole unless asked otherwise', async () => {
  const project = freshProject(await sharedServer())
  const inputs = { x: large(5 * MiB) }
  await project.start({ id: 'a', inputs })
  expect((await project.readExisting('a')).inputs).toEqual(inputs)
})
