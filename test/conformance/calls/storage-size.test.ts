import { describe, expect, test } from 'bun:test'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const both = { include_storage_size: true, include_total_storage_size: true }

describe('storage sizes', () => {
  test('are null unless requested', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a', inputs: { x: 1 } })
    expect(await project.readExisting('a')).toMatchObject({ storage_size_bytes: null, total_storage_size_bytes: null })
    expect(await project.query()).toMatchObject([{ storage_size_bytes: null, total_storage_size_bytes: null }])
  })

  test('each have their own flag', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    const size = await project.readExisting('a', { include_storage_size: true })
    expect(size.storage_size_bytes).toBeNumber()
    expect(size.total_storage_size_bytes).toBeNull()
    const total = await project.readExisting('a', { include_total_storage_size: true })
    expect(total.storage_size_bytes).toBeNull()
    expect(total.total_storage_size_bytes).toBeNumber()
  })

  test('grow by the bytes of every payload', async () => {
    const project = freshProject(server)
    const text = 'ä'.repeat(500)
    await project.add(
      { id: 'empty', attributes: { t: '' }, inputs: { t: '' }, output: { t: '' }, summary: { t: '' } },
      { id: 'full', attributes: { t: text }, inputs: { t: text }, output: { t: text }, summary: { t: text } },
    )
    const [empty, full] = [await project.readExisting('empty', both), await project.readExisting('full', both)]
    expect(full.storage_size_bytes! - empty.storage_size_bytes!).toBe(4 * 1000)
  })

  test('the total of a trace is on its root and is the sum over its calls', async () => {
    const project = freshProject(server)
    await project.add(
      { id: 'root', trace_id: 't', inputs: { t: 'x'.repeat(100) } },
      { id: 'child', trace_id: 't', parent_id: 'root', output: 'x'.repeat(200) },
      { id: 'other', trace_id: 'u', output: 'x'.repeat(400) },
    )
    const calls = await project.query({ ...both, sort_by: [{ field: 'id', direction: 'asc' }] })
    const [child, other, root] = calls
    expect(root!.total_storage_size_bytes).toBe(root!.storage_size_bytes! + child!.storage_size_bytes!)
    expect(child!.total_storage_size_bytes).toBeNull()
    expect(other!.total_storage_size_bytes).toBe(other!.storage_size_bytes!)
  })

  test('the total of a trace includes calls excluded by the query', async () => {
    const project = freshProject(server)
    await project.add({ id: 'root', trace_id: 't' }, { id: 'child', trace_id: 't', parent_id: 'root', output: 'xyz' })
    const whole = await project.readExisting('root', both)
    const [alone] = await project.query({ ...both, filter: { trace_roots_only: true } })
    expect(alone!.total_storage_size_bytes).toBe(whole.total_storage_size_bytes)
    expect(whole.total_storage_size_bytes).toBeGreaterThan(whole.storage_size_bytes!)
  })

  test('the total of a trace excludes deleted calls', async () => {
    const project = freshProject(server)
    await project.add({ id: 'root', trace_id: 't' }, { id: 'child', trace_id: 't', parent_id: 'root' })
    await project.delete('child')
    const root = await project.readExisting('root', both)
    expect(root.total_storage_size_bytes).toBe(root.storage_size_bytes)
  })
})
