import { ownValue } from '../../lib/present.ts'
import type { MetaData, Protocol } from './actions.ts'

/**
 * The features of the Delta Lake protocol that this store supports: by name, whether a table that
 * lists one uses it in a way that this store does not support. A table that requires more is left
 * untouched. Source: Delta Transaction Log Protocol, "Table Features",
 * https://github.com/delta-io/delta/blob/master/PROTOCOL.md
 */
type Features = Readonly<Record<string, (metaData: MetaData['metaData']) => boolean>>

const never = () => false
const isOn = (property: string) => (metaData: MetaData['metaData']) => metaData.configuration[property] === 'true'
/** Whether a field of the schema has a member, or type, of this name. */
const hasInSchema = (name: string) => (metaData: MetaData['metaData']) => metaData.schemaString.includes(`"${name}"`)

const readerFeatures = {
  columnMapping: ({ configuration }) => !['none', undefined].includes(configuration['delta.columnMapping.mode']),
  timestampNtz: hasInSchema('timestamp_ntz'),
  deletionVectors: never,
  v2Checkpoint: never,
  vacuumProtocolCheck: never,
} satisfies Features

const writerFeatures = {
  ...readerFeatures,
  appendOnly: isOn('delta.appendOnly'),
  invariants: hasInSchema('delta.invariants'),
  checkConstraints: ({ configuration }) =>
    Object.keys(configuration).some((name) => name.startsWith('delta.constraints.')),
  changeDataFeed: isOn('delta.enableChangeDataFeed'),
  generatedColumns: hasInSchema('delta.generationExpression'),
  identityColumns: hasInSchema('delta.identity.start'),
  inCommitTimestamp: isOn('delta.enableInCommitTimestamps'),
  // Every row written here has all columns, so defaults never apply.
  allowColumnDefaults: never,
  domainMetadata: never,
} satisfies Features

/** Features implied by the writer versions that predate named features. */
const featuresOfWriterVersions: readonly (readonly [
  version: number,
  features: readonly (keyof typeof writerFeatures)[],
])[] = [
  [2, ['appendOnly', 'invariants']],
  [3, ['checkConstraints']],
  [4, ['changeDataFeed', 'generatedColumns']],
  [5, ['columnMapping']],
  [6, ['identityColumns']],
]

interface Requirements {
  readonly protocol: Protocol['protocol']
  readonly metaData: MetaData['metaData']
}

/** Why a table cannot be read, as a predicate whose subject is the table; undefined if it can. */
export function unreadableReason({ protocol, metaData }: Requirements): string | undefined {
  const { minReaderVersion: version, readerFeatures: named = [] } = protocol
  if (version > 3) return `requires reader version ${version} of the Delta Lake protocol; this version supports up to 3`
  if (version === 3) return unsupportedReason('reading', named, readerFeatures, metaData)
  return version === 2 ? unsupportedReason('reading', ['columnMapping'], readerFeatures, metaData) : undefined
}

/** The same for writing. Every writable table is readable. */
export function unwritableReason(requirements: Requirements): string | undefined {
  const { protocol, metaData } = requirements
  const { minWriterVersion: version, writerFeatures: named = [] } = protocol
  if (version > 7) return `requires writer version ${version} of the Delta Lake protocol; this version supports up to 7`
  const implied = featuresOfWriterVersions.flatMap(([from, features]) =>
    version < 7 && from <= version ? features : [],
  )
  return (
    unreadableReason(requirements) ??
    unsupportedReason('writing', version === 7 ? named : implied, writerFeatures, metaData)
  )
}

function unsupportedReason(
  what: 'reading' | 'writing',
  named: readonly string[],
  known: Features,
  metaData: MetaData['metaData'],
): string | undefined {
  const unsupported = named.filter((name) => ownValue(known, name)?.(metaData) ?? true)
  if (unsupported.length === 0) return undefined
  return `requires Delta Lake features that this version does not support for ${what}: ${unsupported.join(', ')}`
}
