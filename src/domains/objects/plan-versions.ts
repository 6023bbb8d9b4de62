import { DomainError, tooMany } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { parsePage } from '../../query/page.ts'
import { parseSort } from '../../query/sort.ts'
import type { ProjectReader } from '../access/index.ts'
import type { ObjectsRequest } from './model/objects.ts'
import { type VersionsPlan, versionsOrder } from './plan/versions-plan.ts'

/** Parses a versions query. @throws DomainError InvalidRequest, InvalidField */
export function planVersions(
  { projectId }: ProjectReader,
  { filter, ...question }: Omit<ObjectsRequest, 'project_id'>,
): VersionsPlan {
  const list = (member: ListMember): readonly string[] => bounded(member, filter?.[member] ?? [])
  const isOp = filter?.is_op ?? undefined
  return {
    projectId,
    objectIds: list('object_ids'),
    kind: isOp === undefined ? undefined : isOp ? 'op' : 'object',
    withDeleted: false,
    latestOnly: filter?.latest_only === true,
    baseClasses: list('base_object_classes'),
    notBaseClasses: list('exclude_base_object_classes'),
    leafClasses: list('leaf_object_classes'),
    tags: list('tags'),
    aliases: list('aliases'),
    selectors: [],
    withLabels: question.include_tags_and_aliases === true,
    likeliestFirst: false,
    sort: parseSort(question.sort_by, versionsOrder),
    ...parsePage(question),
  }
}

type ListMember =
  | 'object_ids'
  | 'base_object_classes'
  | 'exclude_base_object_classes'
  | 'leaf_object_classes'
  | 'tags'
  | 'aliases'

function bounded(member: ListMember, values: readonly string[]): readonly string[] {
  if (values.length <= operationLimits.filterValuesMax) return values
  throw new DomainError(
    'InvalidRequest',
    tooMany(`values in \`filter.${member}\``, values.length, operationLimits.filterValuesMax),
  )
}
