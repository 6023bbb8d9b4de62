import type { Client } from './client.ts'
import { freshProject } from './target.ts'

export interface ObjectRecord {
  project_id: string
  object_id: string
  created_at: string
  deleted_at: string | null
  digest: string
  version_index: number
  is_latest: number
  kind: string
  base_object_class: string | null
  leaf_object_class: string | null
  val: unknown
  ext_user_id: string | null
  size_bytes: number | null
  tags: string[] | null
  aliases: string[] | null
}

/**
 * The objects of one fresh project. Methods without "ask" in their name throw unless the server
 * answers 200.
 */
export class ProjectObjects {
  readonly client: Client
  readonly projectId: string

  constructor(client: Client, projectId = freshProject(client).id) {
    this.client = client
    this.projectId = projectId
  }

  askCreate(objectId: string, val: unknown, more: Record<string, unknown> = {}) {
    const obj = { project_id: this.projectId, object_id: objectId, val, ...more }
    return this.client.post<{ digest: string; object_id: string }>('/obj/create', { obj })
  }

  /** @returns the digest */
  async create(objectId: string, val: unknown, more: Record<string, unknown> = {}): Promise<string> {
    return (await ok(this.askCreate(objectId, val, more))).digest
  }

  /** Creates versions one after the other. @returns their digests */
  async createAll(objectId: string, ...vals: unknown[]): Promise<string[]> {
    const digests: string[] = []
    for (const val of vals) digests.push(await this.create(objectId, val))
    return digests
  }

  /** The content as JSON text, sent to the letter. */
  async createText(objectId: string, val: string): Promise<string> {
    const body = `{"obj":{"project_id":"${this.projectId}","object_id":"${objectId}","val":${val}}}`
    return (await ok(this.client.postRaw<{ digest: string }>('/obj/create', body))).digest
  }

  askRead(objectId: string, digest: string, more: Record<string, unknown> = {}) {
    const body = { project_id: this.projectId, object_id: objectId, digest, ...more }
    return this.client.post<{ obj: ObjectRecord }>('/obj/read', body)
  }

  async read(objectId: string, digest = 'latest', more: Record<string, unknown> = {}): Promise<ObjectRecord> {
    return (await ok(this.askRead(objectId, digest, more))).obj
  }

  askQuery(request: Record<string, unknown> = {}) {
    return this.client.post<{ objs: ObjectRecord[] }>('/objs/query', { project_id: this.projectId, ...request })
  }

  async query(filter: Record<string, unknown> = {}, more: Record<string, unknown> = {}): Promise<ObjectRecord[]> {
    return (await ok(this.askQuery({ filter, ...more }))).objs
  }

  /** `name:v0` of each version that the filter leaves, `*` marks the latest. */
  async shown(filter: Record<string, unknown> = {}, more: Record<string, unknown> = {}): Promise<string[]> {
    const objs = await this.query(filter, more)
    return objs.map((obj) => `${obj.object_id}:v${obj.version_index}${obj.is_latest === 1 ? '*' : ''}`)
  }

  askDelete(objectId: string, digests?: string[] | null) {
    const body = { project_id: this.projectId, object_id: objectId, ...(digests !== undefined && { digests }) }
    return this.client.post<{ num_deleted: number; deleted_versions: { digest: string }[] }>('/obj/delete', body)
  }

  async delete(objectId: string, ...digests: string[]): Promise<number> {
    return (await ok(this.askDelete(objectId, digests.length === 0 ? null : digests))).num_deleted
  }

  askAddTags(objectId: string, digest: string, tags: unknown) {
    return this.client.put(`${this.path(objectId)}/versions/${encodeURIComponent(digest)}/tags`, this.body({ tags }))
  }

  askRemoveTags(objectId: string, digest: string, tags: unknown) {
    const path = `${this.path(objectId)}/versions/${encodeURIComponent(digest)}/tags/remove`
    return this.client.post(path, this.body({ tags }))
  }

  askSetAliases(objectId: string, digest: string, aliases: unknown) {
    return this.client.put(`${this.path(objectId)}/aliases`, this.body({ digest, aliases }))
  }

  askRemoveAliases(objectId: string, aliases: unknown) {
    return this.client.post(`${this.path(objectId)}/aliases/remove`, this.body({ aliases }))
  }

  async addTags(objectId: string, digest: string, ...tags: string[]): Promise<void> {
    await ok(this.askAddTags(objectId, digest, tags))
  }

  async setAliases(objectId: string, digest: string, ...aliases: string[]): Promise<void> {
    await ok(this.askSetAliases(objectId, digest, aliases))
  }

  async tags(): Promise<string[]> {
    return (await ok(this.client.get<{ tags: string[] }>(`/tags?project_id=${this.projectId}`))).tags
  }

  async aliases(): Promise<string[]> {
    return (await ok(this.client.get<{ aliases: string[] }>(`/aliases?project_id=${this.projectId}`))).aliases
  }

  /** Tags and aliases of each version, in order. */
  async labels(objectId: string): Promise<[string[], string[]][]> {
    const objs = await this.query({ object_ids: [objectId] }, { include_tags_and_aliases: true })
    return objs.map((obj) => [obj.tags!, obj.aliases!])
  }

  private path(objectId: string): string {
    return `/objs/${encodeURIComponent(objectId)}`
  }

  private body(members: Record<string, unknown>): Record<string, unknown> {
    return { project_id: this.projectId, ...members }
  }
}

async function ok<T>(answer: Promise<{ status: number; text: string; json: T }>): Promise<T> {
  const { status, text, json } = await answer
  if (status !== 200) throw new Error(`${status}: ${text}`)
  return json
}
