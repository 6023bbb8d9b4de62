import type { TableField } from './table-fields.ts'
import type { QueryNode } from './table-query/query-tree.ts'

/** The same expression over other fields. */
export function mapFields(node: QueryNode, map: (field: TableField) => TableField): QueryNode {
  const inner = (child: QueryNode) => mapFields(child, map)
  switch (node.kind) {
    case 'literal':
      return node
    case 'field':
      return { ...node, field: map(node.field) }
    case 'convert':
    case 'size':
      return { ...node, input: inner(node.input) }
    case 'and':
    case 'or':
      return { ...node, items: node.items.map(inner) }
    case 'not':
      return { ...node, item: inner(node.item) }
    case 'compare':
      return { ...node, left: inner(node.left), right: inner(node.right) }
    case 'in':
      return { ...node, item: inner(node.item), list: node.list.map(inner) }
    case 'contains':
      return { ...node, input: inner(node.input), substring: inner(node.substring) }
  }
}
