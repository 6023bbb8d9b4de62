import { withoutMembers } from '../../kernel/json-value.ts'
import type { ModelCreate } from '../../model/families.ts'
import { described, membersOf, withAttributes } from './content.ts'
import { classContent, type Family } from './family.ts'

const own = ['_type', '_class_name', '_bases', 'name', 'description', 'files'] as const

export const models: Family<ModelCreate> = {
  one: 'model',
  className: 'Model',
  defaultName: 'Model',
  refMember: 'model_ref',
  latestOnly: false,
  contentOf: async (builder, writer, _objectId, { name, description, source_code, attributes }) => {
    const members = { name, description: description ?? null }
    // Validates before anything is stored.
    withAttributes('a model', classContent('Model', { ...members, files: null }), attributes)
    const files = await builder.saveSource(writer, source_code)
    return withAttributes('a model', classContent('Model', { ...members, files }), attributes)
  },
  // Models written by the SDKs refer to their predict op instead of containing a source.
  sourceOf: (version) => ({ val: version.val, opRef: membersOf(version)['predict'] }),
  shown: (version, source) => {
    const attributes = withoutMembers(membersOf(version), ...own)
    return {
      ...described(version),
      source_code: source,
      attributes: Object.keys(attributes).length === 0 ? null : attributes,
    }
  },
}
