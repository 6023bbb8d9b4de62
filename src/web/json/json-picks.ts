import type { ComponentChildren } from 'preact'
import type { JsonDocument } from './json-document.ts'
import type { JsonLine } from './json-node.ts'
import { pathOf, targetOf } from './json-paths.ts'

/** What the values of a document are chosen for. */
export interface JsonPicks {
  /** What the value at a path is chosen for already; undefined for nothing. */
  readonly markOf: (path: string) => ComponentChildren
  /** What choosing the value would do, shown where the pointer is. */
  readonly hintOf: (path: string) => ComponentChildren
  readonly onPick: (path: string) => void
}

/** What is shown beside a line, and what choosing its value does. */
export interface LinePick {
  readonly mark: ComponentChildren
  readonly hint: ComponentChildren
  readonly pick: () => void
}

/** @param isPointed whether the pointer or the cursor is on the line */
export function pickOf(picks: JsonPicks, document: JsonDocument, line: JsonLine, isPointed: boolean): LinePick {
  const { node, index } = targetOf(line)
  const path = pathOf(document, node, index)
  // Lines of an unfolded text and closing brackets belong to a value that has its own line.
  const isOwn = line.index >= 0 && !line.node.lines && !line.node.media && path !== ''
  const mark = isOwn ? picks.markOf(path) : undefined
  return {
    mark,
    hint: isOwn && isPointed && mark === undefined ? picks.hintOf(path) : undefined,
    pick: () => path !== '' && picks.onPick(path),
  }
}
