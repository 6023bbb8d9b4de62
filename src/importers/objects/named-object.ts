import { withInternalRefs } from '../../domains/records/index.ts'
import { dialects } from '../../formats/dialect/dialect.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { digestOfJson } from '../../runtime/digest.ts'
import type { Names, RequestRecord, Target } from '../record.ts'

/** Names of versions: tags, which may be on many, and aliases, which point to one. */
export interface Labels {
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
}

/** Labels a stored version. Names that the server maintains itself are left out. */
export async function setLabels(target: Target, objectId: string, digest: string, labels: Labels): Promise<void> {
  const { project } = target
  const path = `/objs/${encodeURIComponent(objectId)}`
  const tags = [...new Set(labels.tags.map(tagName).filter((tag) => tag !== ''))]
  const aliases = labels.aliases.map(aliasName).filter((alias) => alias !== 'latest' && !/^v\d+$/.test(alias))
  for (const some of inPieces(tags)) {
    await target.put(`${path}/versions/${encodeURIComponent(digest)}/tags`, { project_id: project, tags: some })
  }
  for (const some of inPieces(aliases)) {
    await target.put(`${path}/aliases`, { project_id: project, digest, aliases: some })
  }
}

/** With the characters that tags may have. */
const tagName = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, ' ')
    .trim()
    .slice(0, operationLimits.tagCharsMax)
    .trim()

const aliasName = (name: string): string => name.replaceAll(/[/:]/g, '-').slice(0, operationLimits.idCharsMax)

function inPieces(names: readonly string[]): string[][] {
  const size = operationLimits.labelsPerRequestMax
  return Array.from({ length: Math.ceil(names.length / size) }, (_, index) =>
    names.slice(index * size, (index + 1) * size),
  )
}

type Members = Readonly<Record<string, unknown>>

/** Path inside an object, as in refs: `['attr', 'rows', 'id', DIGEST]`. */
type RefPath = readonly { readonly kind: 'attr' | 'id'; readonly value: string }[]

export interface NamedObjectOptions {
  /** Kind of the created records, in the plural: `models`. */
  readonly what: string
  /** Name in the source. */
  readonly name: string
  readonly className: string
  /** Content beside the class and the name. */
  readonly members: (target: Names) => Members
  /** Classes that the class extends. */
  readonly bases?: readonly string[]
  readonly labels?: Labels
  /** Stores what the content refers to. */
  readonly prepare?: (target: Target) => Promise<void>
}

/**
 * An object of the project that calls and other objects refer to. Its digest is computed here, so
 * refs to it are known before it is stored and are equal in each run of an import.
 */
export class NamedObject {
  /** The name with the characters that names of objects may have. */
  readonly name: string
  private readonly options: NamedObjectOptions
  private readonly digests = new Map<string, string>()

  constructor(options: NamedObjectOptions) {
    this.options = options
    this.name = objectName(options.name) || options.className.toLowerCase()
  }

  get record(): RequestRecord {
    const { what, prepare, labels } = this.options
    return {
      kind: 'request',
      what,
      name: this.name,
      send: async (target) => {
        await prepare?.(target)
        const digest = this.digest(target)
        const obj = {
          project_id: target.project,
          object_id: this.name,
          val: this.content(target),
          expected_digest: digest,
        }
        await target.post('/obj/create', { obj })
        if (labels !== undefined) await setLabels(target, this.name, digest, labels)
      },
    }
  }

  /** Ref to this version, or to something inside it. */
  ref(target: Names, edges: RefPath = []): string {
    const version = this.digest(target)
    return dialects[target.dialect].refs.object({
      kind: 'object',
      projectId: target.project,
      name: this.name,
      version,
      edges: [...edges],
    })
  }

  private content(target: Names): Members {
    const { className, name, members, bases = ['Object', 'BaseModel'] } = this.options
    return {
      _type: className,
      _class_name: className,
      _bases: bases,
      name,
      ...members(target),
    }
  }

  private digest(target: Names): string {
    const key = `${target.dialect} ${target.project}`
    const known = this.digests.get(key)
    if (known !== undefined) return known
    const digest = digestOfJson(withInternalRefs(this.content(target)))
    this.digests.set(key, digest)
    return digest
  }
}

const objectName = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, operationLimits.idCharsMax)

/** A version of a prompt: a text, or messages. */
interface PromptVersion {
  readonly name: string
  readonly description: string | null
  readonly prompt: string | readonly unknown[]
  /** Further members in the source: the model, its parameters, tools. */
  readonly more: Readonly<Record<string, unknown>>
  readonly labels: Labels
}

/** A prompt as an object of the classes that client SDKs have for them. */
export function promptRecord({ name, description, prompt, more, labels }: PromptVersion): RequestRecord {
  const isText = typeof prompt === 'string'
  return new NamedObject({
    what: 'prompt versions',
    name,
    className: isText ? 'StringPrompt' : 'MessagesPrompt',
    bases: ['Prompt', 'Object', 'BaseModel'],
    members: () => ({ description, ...(isText ? { content: prompt } : { messages: prompt }), ...more }),
    labels,
  }).record
}
