import type { MetaData, Protocol } from './actions.ts'

/**
 * The parts of the Delta Lake protocol that this store supports. A table that requires more is left
 * untouched. Source: Delta Transaction Log Protocol, "Table Features",
 * https://github.com/delta-io/delta/blob/master/PROTOCOL.md
 */
interface Feature {
  readonly name: string
  /** Whether a table that lists the feature uses it in a way that this store does not support. */
  readonly isUnsupported: (metaData: MetaData['metaData']) => boolean
}

const never = () => false
const isOn = (property: string) => (metaData: MetaData['metaData']) => metaData.configuration[property] === 'true'
const hasFieldMember = (member: string) => (metaData: MetaData['metaData']) =>
  metaData.schemaString.includes(`"${member}"`)

const columnMapping: Feature = {
  name: 'columnMapping',
  isUnsupported: ({ configuration }) => !['none', undefined].includes(configuration['delta.columnMapping.mode']),
}
const timestampNtz: Feature = { name: 'timestampNtz', isUnsupported: hasType('timestamp_ntz') }
const deletionVectors: Feature = { name: 'deletionVectors', isUnsupported: never }
const v2Checkpoint: Feature = { name: 'v2Checkpoint', isUnsupported: never }
const vacuumProtocolCheck: Feature = { name: 'vacuumProtocolCheck', isUnsupported: never }
const appendOnly: Feature = { name: 'appendOnly', isUnsupported: isOn('delta.appendOnly') }
const invariants: Feature = { name: 'invariants', isUnsupported: hasFieldMember('delta.invariants') }
const checkConstraints: Feature = {
  name: 'checkConstraints',
  isUnsupported: ({ configuration }) =>
    Object.keys(configuration).some((name) => name.startsWith('delta.constraints.')),
}
const changeDataFeed: Feature = { name: 'changeDataFeed', isUnsupported: isOn('delta.enableChangeDataFeed') }
const generatedColumns: Feature = {
  name: 'generatedColumns',
  isUnsupported: hasFieldMember('delta.generationExpression'),
}
const identityColumns: Feature = { name: 'identityColumns', isUnsupported: hasFieldMember('delta.identity.start') }
const inCommitTimestamp: Feature = {
  name: 'inCommitTimestamp',
  isUnsupported: isOn('delta.enableInCommitTimestamps'),
}
// Every row written here has all columns, so defaults never apply.
const allowColumnDefaults: Feature = { name: 'allowColumnDefaults', isUnsupported: never }
const domainMetadata: Feature = { name: 'domainMetadata', isUnsupported: never }

const readerFeatures = [columnMapping, timestampNtz, deletionVectors, v2Checkpoint, vacuumProtocolCheck]
const writerFeatures = [
  ...readerFeatures,
  appendOnly,
  invariants,
  checkConstraints,
  changeDataFeed,
  generatedColumns,
  identityColumns,
  inCommitTimestamp,
  allowColumnDefaults,
  domainMetadata,
]

/** Features implied by the writer versions that predate named features. */
const featuresOfWriterVersions: readonly (readonly [version: number, features: readonly Feature[]])[] = [
  [2, [appendOnly, invariants]],
  [3, [checkConstraints]],
  [4, [changeDataFeed, generatedColumns]],
  [5, [columnMapping]],
  [6, [identityColumns]],
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
  return version === 2 ? unsupportedReason('reading', [columnMapping.name], readerFeatures, metaData) : undefined
}

/** The same for writing. Every writable table is readable. */
export function unwritableReason(requirements: Requirements): string | undefined {
  const { protocol, metaData } = requirements
  const { minWriterVersion: version, writerFeatures: named = [] } = protocol
  if (version > 7) return `requires writer version ${version} of the Delta Lake protocol; this version supports up to 7`
  const implied = featuresOfWriterVersions.flatMap(([from, features]) =>
    version < 7 && from <= version ? features.map(({ name }) => name) : [],
  )
  return (
    unreadableReason(requirements) ??
    unsupportedReason('writing', version === 7 ? named : implied, writerFeatures, metaData)
  )
}

function unsupportedReason(
  what: 'reading' | 'writing',
  named: readonly string[],
  known: readonly Feature[],
  metaData: MetaData['metaData'],
): string | undefined {
  const unsupported = named.filter(
    (name) => known.find((feature) => feature.name === name)?.isUnsupported(metaData) ?? true,
  )
  if (unsupported.length === 0) return undefined
  return `requires Delta Lake features that this version does not support for ${what}: ${unsupported.join(', ')}`
}

function hasType(type: string): (metaData: MetaData['metaData']) => boolean {
  return ({ schemaString }) => schemaString.includes(`"${type}"`)
}
