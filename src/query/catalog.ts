import { closest } from 'fastest-levenshtein'
import { neutralFeedbackType } from '../formats/dialect/feedback-type.ts'
import { DomainError, quoted } from '../lib/errors.ts'
import { explorationLimits } from '../lib/limits/exploration.ts'

/** Characters of an unknown name that are compared; longer names would only cost time. */
const comparedCharsMax = 64

/**
 * The end of an error message about an unknown name: `; did you mean "op_name"?`. Empty without
 * known names.
 */
export function didYouMean(name: string, known: readonly string[]): string {
  if (known.length === 0) return ''
  return `; did you mean "${closest(name.slice(0, comparedCharsMax), known)}"?`
}

/**
 * The segments of a dotted path; `\.` is a dot inside a key.
 *
 * @throws DomainError InvalidField for an empty segment or a path that exceeds a bound
 */
export function parseFieldPath(text: string): readonly [first: string, ...others: string[]] {
  const [first = '', ...others] = text.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'))
  const segments = [first, ...others] as const
  const isBounded =
    text.length <= explorationLimits.fieldPathCharsMax && segments.length <= explorationLimits.fieldPathSegmentsMax
  if (!isBounded || segments.some((segment) => segment === '')) {
    throw new DomainError(
      'InvalidField',
      `Invalid field ${quoted(text)}: a path is 1 to ${explorationLimits.fieldPathSegmentsMax} keys joined by dots`,
    )
  }
  return segments
}

/** A field of a row: its type, and what its SQL is made of. */
export type Field =
  | ColumnField
  | JsonField
  /** A text of the feedback on a call. */
  | { readonly kind: 'feedback'; readonly column: string; readonly type: 'text'; readonly of: FeedbackType }
  /** A text of the annotation queue items that hold a call. */
  | { readonly kind: 'queueItem'; readonly column: 'queue_id'; readonly type: 'text' }
  | UsageField
  /** A field that exists in the API but is always null in this server. */
  | { readonly kind: 'absent'; readonly type: 'time' }

/** A plain column. */
export interface ColumnField {
  readonly kind: 'column'
  readonly column: string
  readonly type: 'text' | 'time' | 'integer' | 'double' | 'texts'
  /**
   * A missing text compares as the empty one, so `$not [$eq [exception, "x"]]` keeps rows without
   * an exception.
   */
  readonly emptyIfMissing?: true
  /** The empty text is stored for "removed" and reads as null. */
  readonly nullIfEmpty?: true
  /** Set where a text is stored in another spelling than clients may send or read. */
  readonly spelling?: Spelling
}

/**
 * Spellings of one stored text. `ref`: either scheme of a ref, for substring searches.
 * `feedbackType`: built-in types are stored with the prefix `ext` and read with this one.
 */
export type Spelling = { readonly of: 'ref' } | { readonly of: 'feedbackType'; readonly prefix: string }

/** A value inside a JSON column; the empty path is the whole column. */
export interface JsonField {
  readonly kind: 'json'
  readonly column: string
  readonly path: readonly string[]
  /** Clients differ in the case of the values: `llm`, `LLM` and `Llm` are one value. */
  readonly inSeveralCases?: true
  /** Set for a column of the feedback on a call; absent for a column of the row itself. */
  readonly of?: FeedbackType
  /** Shorter paths whose refs are followed, shallow ones first. */
  readonly expanded?: readonly ExpandedPath[]
}

/** A field whose values are counted. */
export type CountableField = ColumnField | JsonField

/** Contents of the refs at a path: `values` are JSON texts in the order of `refs`. */
export interface ExpandedPath {
  readonly path: readonly string[]
  readonly refs: { readonly texts: readonly string[] }
  readonly values: { readonly texts: readonly string[] }
}

/** Feedback of one type, and of one version of the scorer that gave it; undefined means any. */
export interface FeedbackType {
  readonly feedbackType: string | undefined
  /** Digest at the end of the ref of the scorer. */
  readonly version?: string
}

/** The usage of a call, or of all calls of its trace together; null without usage. */
export interface UsageField {
  readonly kind: 'usage'
  readonly over: 'call' | 'trace'
  /** `cost` is in US dollars, and null if none of the models has a price. */
  readonly figure: 'tokens' | 'cost' | 'models'
  readonly type: 'integer' | 'double' | 'texts'
}

/** A plain column by its name, for conditions that the server makes itself. */
export const columnField = (column: string, type: ColumnField['type'] = 'text'): ColumnField => ({
  kind: 'column',
  column,
  type,
})

/** The fields that a query may name, as plain data. */
export interface Catalog {
  /** Top-level names in every accepted spelling. */
  readonly fields: ReadonlyMap<string, CatalogEntry>
  /**
   * Paths of rows without declared fields: any path that `fields` does not hold leads into this
   * JSON column.
   */
  readonly otherwise?: JsonField
  /**
   * Columns of the feedback on a row, named `feedback.[TYPE].column`; the JSON ones need a path.
   */
  readonly feedback?: ReadonlyMap<string, 'json' | 'text'>
  /** Names that errors suggest, in the spellings of the wire. */
  readonly suggestions: readonly string[]
  /** Known names that cannot be sorted by, with the reason. */
  readonly unsortable?: ReadonlyMap<string, string>
  /**
   * A text beside a number counts as the number it holds, and a null in an `$in` list matches
   * missing values.
   */
  readonly isLenient?: true
}

/** A field, or names below a top-level one; `otherwise` takes every other path below it. */
export type CatalogEntry = Field | FieldGroup

interface FieldGroup {
  readonly kind: 'group'
  readonly members: ReadonlyMap<string, CatalogEntry>
  readonly otherwise?: JsonField
}

/**
 * The field that `path` names.
 *
 * @throws DomainError InvalidField with the field and the closest known one
 */
export function resolveField(catalog: Catalog, path: string): Field {
  if (catalog.feedback !== undefined && path.startsWith('feedback.')) {
    const field = feedbackField(catalog.feedback, path)
    if (field !== undefined) return field
    throw unknownField(catalog, path)
  }
  const { fields, otherwise } = catalog
  const root: FieldGroup = { kind: 'group', members: fields, ...(otherwise && { otherwise }) }
  const field = fieldAt(root, parseFieldPath(path))
  if (field === undefined) throw unknownField(catalog, path)
  return field
}

function fieldAt(entry: CatalogEntry, path: readonly string[]): Field | undefined {
  const [first, ...rest] = path
  switch (entry.kind) {
    case 'group': {
      const member = first === undefined ? undefined : entry.members.get(first)
      if (member !== undefined) return fieldAt(member, rest)
      return entry.otherwise && fieldAt(entry.otherwise, path)
    }
    case 'json':
      return { ...entry, path: [...entry.path, ...path] }
    default:
      return first === undefined ? entry : undefined
  }
}

/**
 * `feedback.[TYPE].payload.path`, `feedback.[TYPE].runnable_ref`; TYPE `*` means any type, and that
 * of a scorer may have a version behind it.
 */
function feedbackField(columns: NonNullable<Catalog['feedback']>, path: string): Field | undefined {
  const [, feedbackType, inside] = /^feedback\.\[([^\]]+)\]\.(.+)$/s.exec(path) ?? []
  if (feedbackType === undefined || inside === undefined) return undefined
  const of = feedbackTypeIn(feedbackType)
  const [column, ...rest] = parseFieldPath(inside)
  const type = columns.get(column)
  if (type === 'json' && rest.length > 0) return { kind: 'json', column, path: rest, of }
  if (type === 'text' && rest.length === 0) return { kind: 'feedback', column, type, of }
  return undefined
}

/**
 * `*`, a type, or the type of a scorer with the digest of its version:
 * `ext.runnable.polite:a1b2`.
 */
function feedbackTypeIn(text: string): FeedbackType {
  if (text === '*') return { feedbackType: undefined }
  const type = neutralFeedbackType(text)
  const [, scorer, version] = /^(ext\.runnable\..+):([^:/]+)$/.exec(type) ?? []
  return scorer === undefined || version === undefined ? { feedbackType: type } : { feedbackType: scorer, version }
}

function unknownField({ suggestions }: Catalog, path: string): DomainError {
  const message = `Unknown field ${quoted(path)}${didYouMean(path, suggestions)}`
  return new DomainError('InvalidField', message, { extras: { field: path } })
}

/**
 * The span of a call made from OpenTelemetry, shown under `attributes.otel_span`; undefined for any
 * other path. Calls that were sent with such an attribute of their own keep it in `attributes`.
 */
export function ofSpan({ column, path, of }: JsonField): JsonField | undefined {
  const isShown = of === undefined && column === 'attributes' && path[0] === 'otel_span'
  return isShown ? { kind: 'json', column: 'otel_dump', path: path.slice(1) } : undefined
}

/** Whether a field belongs to the feedback on a call rather than to the row itself. */
export const isOfFeedback = (field: Field): boolean => 'of' in field && field.of !== undefined

/** Whether a field is computed from the usage of calls. */
export const isOfUsage = (field: Field): field is UsageField => field.kind === 'usage'

/** Whether a field belongs to the annotation queue items of a call. */
export const isOfQueue = (field: Field): boolean => field.kind === 'queueItem'
