import { findRef } from '../../../formats/dialect/parsed-ref.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import type { ProjectReader } from '../../access/caller.ts'
import type { Objects } from '../../objects/objects.ts'
import type { ObjectSource, SourceObject } from './object-source.ts'

/** Objects of the project. */
export class StoredObjects implements ObjectSource {
  private readonly objects: Objects

  constructor(objects: Objects) {
    this.objects = objects
  }

  async read(reader: ProjectReader, text: string): Promise<SourceObject> {
    const ref = findRef(text)
    if (ref?.kind === 'op') {
      throw new DomainError(
        'InvalidRequest',
        `The op "${ref.name}" is user code and not runnable on the server; run the evaluation with a ` +
          'client SDK instead',
      )
    }
    if (ref?.kind !== 'object' || ref.edges.length > 0) {
      throw new DomainError('InvalidRequest', `Invalid ref ${quoted(text, 200)}: it must name an object version`)
    }
    if (ref.projectId !== reader.projectId) {
      throw new DomainError('InvalidRequest', `Invalid ref ${quoted(text, 200)}: it must be in the project`)
    }
    const name = { object_id: ref.name, digest: ref.version, kind: 'object' as const }
    const { digest, val, base_object_class, leaf_object_class } = await this.objects.read(reader, name)
    return {
      ref: this.objects.refOf({ ...ref, version: digest }),
      name: ref.name,
      className: leaf_object_class,
      baseClassName: base_object_class,
      // Numbers that JavaScript would print differently are used by value here.
      val: JSON.parse(JSON.stringify(val)),
    }
  }
}
