import { withPart } from '../document-part.ts'
import { layers, owned, reserved, strangers, subjects } from './layers.ts'
import { trees } from './trees.ts'

/**
 * `document` (the text of docs/architecture.md) with the import rules as they are now between its
 * markers.
 *
 * @throws Error where the markers are missing
 */
export const withPicture = (document: string): string =>
  withPart(document, { name: 'import-rules', command: 'draw-layers' }, picture())

const picture = (): string => [diagram(), unitTable(), ruleList()].join('\n\n')

/** In mermaid, which GitHub and most editors draw. */
function diagram(): string {
  const boxes = layers.map((layer, index) => `  layer${index + 1}["${Object.keys(layer).join(' · ')}"]`)
  const chain = layers.slice(1).map((_, index) => `    layer${index + 1} --> layer${index + 2}`)
  const others = Object.entries(trees).flatMap(([tree, { imports }]) =>
    imports.flatMap((other) => (other === tree ? [] : [`  ${tree} --> ${other}`])),
  )
  return [
    '```mermaid',
    'flowchart TD',
    '  subgraph src["src/"]',
    ...boxes.map((box) => `  ${box}`),
    ...chain,
    '  end',
    '  scripts["scripts/"]',
    '  test["test/ and *.test.ts"]',
    ...others,
    '```',
  ].join('\n')
}

function unitTable(): string {
  const rows = layers.flatMap((layer, index) =>
    Object.entries(layer).map(([unit, holds]) => `| ${index + 1} | \`${unit}\` | ${holds} |`),
  )
  return ['| layer | in `src/` | what it holds |', '|---|---|---|', ...rows].join('\n')
}

function ruleList(): string {
  const quoted = (names: readonly string[], word: string) =>
    names
      .map((name) => `\`${name}\``)
      .join(', ')
      .replace(/, ([^,]*)$/, ` ${word} $1`)
  const treeRules = Object.entries(trees).map(
    ([tree, { imports, holds }]) =>
      `- \`${tree}/\` (${holds}) imports from ${quoted(
        imports.map((each) => `${each}/`),
        'and',
      )} only.`,
  )
  const stranger = strangers.map(
    ({ folders, except, reason }) =>
      `- ${quoted(folders, 'and')} do not import each other, except in \`${except}\`: ${reason}.`,
  )
  const entrances = [
    `- Code outside a subject imports the subject's \`${subjects}<subject>/index.ts\` and no other file of it.`,
  ]
  const reservations = reserved.map(({ owners, what, modules, globals = [] }) => {
    const names = globals.length > 0 ? ` or name ${quoted(globals, 'or')}` : ''
    return `- Only ${quoted(owners, 'and')} may import \`${modules}\`${names} (${what}).`
  })
  const owners = owned.map(
    ({ shown, what, file }) => `- Only ${quoted(shown, 'and')} write ${what}: nothing else imports \`${file}\`.`,
  )
  return [...treeRules, ...entrances, ...stranger, ...reservations, ...owners].join('\n')
}
