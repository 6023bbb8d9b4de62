import { KeyedMutex } from '../../../lib/concurrency.ts'
import { DomainError, quoted, ValidationError } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { ProjectReader, ProjectWriter } from '../../access/index.ts'
import type { Objects, ObjectVersion } from '../../objects/index.ts'
import { checkHeaders, customPrefix, objectIdPart } from '../endpoint.ts'
import type { Runtime, RuntimePut } from '../model/inference.ts'
import { CompletionRefused } from '../provider-error.ts'
import { maxTokensDefault, type RuntimeModel, type StoredRuntime, storedRuntime } from './stored-runtime.ts'

/**
 * Custom model endpoints of a project: each is a Provider object, with one ProviderModel object per
 * model.
 */
export class Runtimes {
  private readonly objects: Objects
  private readonly queue = new KeyedMutex()

  constructor(objects: Objects) {
    this.objects = objects
  }

  /**
   * Sets a runtime to `wanted`. Models that are not listed are deleted last, so that a crash leaves
   * too many rather than too few; repeating the request completes it.
   *
   * @throws DomainError InvalidRequest if a name is too long or taken; ValidationError for a
   *   duplicate id
   */
  async put(writer: ProjectWriter, name: string, wanted: RuntimePut): Promise<Runtime> {
    const runtime = complete(name, wanted)
    const models = objectIdsOf(runtime)
    // Concurrent requests would each keep what the other is about to delete.
    return await this.queue.run(writer.projectId, () => this.replace(writer, runtime, models))
  }

  /** The runtimes of the project by name, and their models by id. */
  async list(reader: ProjectReader): Promise<Runtime[]> {
    return (await this.stored(reader)).map(({ runtime }) => runtime)
  }

  /**
   * Deletes a runtime with its models. The models go first, so that after a crash it is still
   * listed and the request can be repeated.
   *
   * @returns number of object versions that were deleted
   * @throws DomainError NotFound
   */
  async delete(writer: ProjectWriter, name: string): Promise<number> {
    return await this.queue.run(writer.projectId, async () => {
      const found = (await this.stored(writer)).find(({ runtime }) => runtime.name === name)
      if (found === undefined) throw new DomainError('NotFound', `There is no runtime named ${quoted(name)}`)
      let count = 0
      for (const objectId of [...found.modelIds, found.providerId]) {
        count += (await this.objects.delete(writer, objectId)).length
      }
      return count
    })
  }

  private async stored(reader: ProjectReader): Promise<StoredRuntime[]> {
    const versions = await this.objects.query(reader, { filter: { base_object_classes: ['Provider'] } })
    const models = [...(await this.providerModels(reader)).values()]
    return [...Map.groupBy(versions, ({ object_id }) => object_id).values()]
      .flatMap((ofProvider) => {
        const latest = ofProvider.find(({ is_latest }) => is_latest === 1)
        if (latest === undefined) return []
        const digests = new Set(ofProvider.map(({ digest }) => digest))
        return storedRuntime(
          latest,
          models.filter((model) => isModelOf(model, digests)),
        )
      })
      .sort((a, b) => (a.runtime.name < b.runtime.name ? -1 : 1))
  }

  private async replace(
    writer: ProjectWriter,
    runtime: Runtime,
    models: ReadonlyMap<string, RuntimeModel>,
  ): Promise<Runtime> {
    const { name } = runtime
    const providerId = objectIdPart(name)
    const digests = await this.digestsOf(writer, providerId, name)
    const known = await this.providerModels(writer)
    for (const [objectId, { id }] of models) checkFree(objectId, id, known.get(objectId), digests)
    const provider = await this.objects.create(writer, {
      object_id: providerId,
      builtin_object_class: 'Provider',
      val: {
        name,
        base_url: runtime.base_url,
        api_key_name: runtime.api_key_secret ?? '',
        extra_headers: runtime.headers,
      },
    })
    for (const [objectId, { id, max_tokens }] of models) {
      const val = { name: id, provider: provider.digest, max_tokens }
      await this.objects.create(writer, { object_id: objectId, builtin_object_class: 'ProviderModel', val })
    }
    for (const [objectId, version] of known) {
      if (!models.has(objectId) && isModelOf(version, digests)) await this.objects.delete(writer, objectId)
    }
    return runtime
  }

  /**
   * Digests of all versions of the provider. @throws DomainError InvalidRequest if another provider
   * has its object id
   */
  private async digestsOf(writer: ProjectWriter, providerId: string, name: string): Promise<ReadonlySet<string>> {
    const versions = await this.objects.query(writer, { filter: { object_ids: [providerId], is_op: false } })
    const latest = versions.find(({ is_latest }) => is_latest === 1)
    const taken = latest === undefined ? undefined : nameIn(latest)
    if (taken !== undefined && taken !== name) {
      refuse(`The object name "${providerId}" is already taken by the provider ${quoted(taken)}`)
    }
    return new Set(versions.map(({ digest }) => digest))
  }

  private async providerModels(reader: ProjectReader): Promise<ReadonlyMap<string, ObjectVersion>> {
    const filter = { base_object_classes: ['ProviderModel'], latest_only: true }
    const versions = await this.objects.query(reader, { filter })
    return new Map(versions.map((version) => [version.object_id, version]))
  }
}

function complete(name: string, wanted: RuntimePut): Runtime {
  requireSendable(wanted.headers ?? {})
  return {
    name,
    base_url: wanted.base_url,
    api_key_secret: wanted.api_key_secret ?? null,
    headers: wanted.headers ?? {},
    runtime_ids: wanted.runtime_ids.map(({ id, max_tokens }) => ({
      id,
      max_tokens: max_tokens ?? maxTokensDefault,
      playground_id: `${customPrefix}${name}::${id}`,
    })),
  }
}

/** Rejects headers that no completion could be sent with, while someone is looking. */
function requireSendable(headers: Readonly<Record<string, string>>): void {
  try {
    checkHeaders(headers)
  } catch (thrown) {
    if (!(thrown instanceof CompletionRefused)) throw thrown
    throw new DomainError('InvalidRequest', thrown.message)
  }
}

/** Models by the ids of their objects. */
function objectIdsOf({ name, runtime_ids }: Runtime): ReadonlyMap<string, RuntimeModel> {
  const ids = new Set<string>()
  const models = new Map<string, RuntimeModel>()
  for (const [at, model] of runtime_ids.entries()) {
    const { id } = model
    if (ids.has(id)) {
      throw new ValidationError([
        {
          loc: ['body', 'runtime_ids', String(at), 'id'],
          msg: `Duplicate model ${quoted(id)}`,
          type: 'value_error',
        },
      ])
    }
    ids.add(id)
    if (name.length + 1 + id.length > operationLimits.idCharsMax) {
      refuse(
        `The name of the runtime and the model ${quoted(id)} exceed ${operationLimits.idCharsMax} characters together`,
      )
    }
    const objectId = `${objectIdPart(name)}-${objectIdPart(id)}`
    const other = models.get(objectId)
    if (other !== undefined) refuse(`The models "${other.id}" and "${id}" map to the same object name "${objectId}"`)
    models.set(objectId, model)
  }
  return models
}

/** `a` with model `b-c` and `a-b` with model `c` would share an object. */
function checkFree(objectId: string, id: string, known: ObjectVersion | undefined, digests: ReadonlySet<string>): void {
  if (known !== undefined && !isModelOf(known, digests)) {
    refuse(`The object name "${objectId}" of the model "${id}" is already taken by another provider`)
  }
}

const isModelOf = ({ val }: ObjectVersion, digests: ReadonlySet<string>): boolean =>
  isJsonObject(val) && typeof val['provider'] === 'string' && digests.has(val['provider'])

const nameIn = ({ val }: ObjectVersion): string | undefined =>
  isJsonObject(val) && typeof val['name'] === 'string' ? val['name'] : undefined

function refuse(why: string): never {
  throw new DomainError('InvalidRequest', why)
}
