import { expect, test } from 'bun:test'
import type { Branch, Relation } from '../../lib/relation.ts'
import { projectRestriction } from './branch.ts'
import { Parameters } from './parameters.ts'

type Known = { readonly onlyProject?: string; readonly areAllVisible?: boolean }

function termsOf(known: Known, masks: readonly string[] = []) {
  const source = { kind: 'files', paths: ['a.parquet'], missing: '', ...known } as const
  const branch: Branch = { source, masks }
  const relation: Relation = { branches: [branch], key: ['project_id', 'id'], presenceColumn: 'op_name' }
  const parameters = new Parameters()
  return {
    terms: projectRestriction(relation, branch, 't', { projectId: 'acme/bot', parameters }),
    values: parameters.values,
  }
}

const ofProject = 't."project_id" = $1'
const visible = 't."op_name" IS NOT NULL'

test('every row is checked for project and visibility', () => {
  expect(termsOf({})).toEqual({ terms: [ofProject, visible], values: ['acme/bot'] })
})

test('conditions that file statistics prove are omitted', () => {
  expect(termsOf({ onlyProject: 'acme/bot' }).terms).toEqual([visible])
  expect(termsOf({ areAllVisible: true }).terms).toEqual([ofProject])
  expect(termsOf({ onlyProject: 'acme/bot', areAllVisible: true })).toEqual({ terms: ['TRUE'], values: [] })
})

test('files of another project are still filtered by project', () => {
  expect(termsOf({ onlyProject: 'acme/other', areAllVisible: true })).toEqual({
    terms: [ofProject],
    values: ['acme/bot'],
  })
})

test('masks apply whatever the statistics say', () => {
  const { terms } = termsOf({ onlyProject: 'acme/bot', areAllVisible: true }, ['mask'])
  expect(terms).toHaveLength(1)
  expect(terms[0]).toContain('FROM "mask"')
})
