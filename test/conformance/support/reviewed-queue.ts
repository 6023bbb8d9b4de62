import type { Project } from './project.ts'
import { ok, Queues } from './queues.ts'
import type { ServerProcess } from './server-process.ts'
import { freshProject } from './target.ts'

/** Stores an annotation spec. @returns its ref */
export async function annotationSpecOf(project: Project, name: string, field_schema: object): Promise<string> {
  const val = {
    _type: 'AnnotationSpec',
    _class_name: 'AnnotationSpec',
    _bases: ['Object', 'BaseModel'],
    name,
    field_schema,
  }
  const { json } = await project.client.post<{ digest: string }>('/obj/create', {
    obj: { project_id: project.id, object_id: name, val },
  })
  return `ext:///${project.id}/object/${name}:${json.digest}`
}

/**
 * A queue of so many calls with two questions ("ok", yes or no, and "tone", 1 to 5), two reviewers
 * an item, and the people who review it.
 */
export async function reviewedQueue(server: ServerProcess, keys: readonly string[], count: number) {
  const project = freshProject(server.client)
  const callIds = Array.from({ length: count }, (_, index) => `call-${index}`)
  await project.add(...callIds.map((id) => ({ id })))
  const refs = {
    ok: await annotationSpecOf(project, 'ok', { type: 'boolean' }),
    tone: await annotationSpecOf(project, 'tone', { type: 'integer', minimum: 1, maximum: 5 }),
  }
  const queues = new Queues(project)
  const { id } = await ok(queues.create({ scorer_refs: Object.values(refs) }))
  await ok(queues.setReview(id, { reviewers_per_item: 2 }))
  await ok(queues.add(id, callIds))
  const items = (await ok(queues.items(id))).items.map((item) => item.id)
  const people = keys.map((key) => new Queues(project.withKey(key)))
  /** What a person answers to an item. */
  const answer = async (who: Queues, itemId: string, given: { ok?: unknown; tone?: unknown }) => {
    await ok(who.claim(id, { item_id: itemId }))
    const answers = Object.entries(given).map(([name, value]) => ({
      annotation_ref: refs[name as keyof typeof refs],
      value,
    }))
    return await ok(who.submit(id, itemId, { answers }))
  }
  return { project, queues, id, items, refs, people, answer }
}
