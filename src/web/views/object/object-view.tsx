import { FileSearch } from 'lucide'
import { useRoute } from 'preact-iso'
import { post, postRaw } from '../../api/client.ts'
import { CopyButton } from '../../components/controls/copy-button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { condition, type FilterNode } from '../../filter/expression.ts'
import { formatFilter } from '../../filter/format-filter.ts'
import { shortId } from '../../format/ids.ts'
import { formatBytes } from '../../format/number.ts'
import { formatDayMinute, formatFullTime, formatWhen } from '../../format/time.ts'
import { JsonView } from '../../json/json-view.tsx'
import { memberText } from '../../json/member-text.ts'
import { Page } from '../../page/page.tsx'
import { objectPath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { objectText } from '../../text/object.ts'
import css from './object-view.module.css'

/** A version of an object, without its content. */
interface ObjectVersion {
  readonly object_id: string
  readonly digest: string
  readonly version_index: number
  readonly is_latest: number
  readonly kind: string
  readonly base_object_class: string | null
  readonly leaf_object_class: string | null
  readonly created_at: string
  readonly size_bytes: number | null
  readonly ext_user_id: string | null
  readonly tags: readonly string[] | null
  readonly aliases: readonly string[] | null
}

const versionsMax = 200
/** Rows of a dataset that are shown. */
const rowsMax = 100

/** Versions of an object, the newest first. */
const useVersions = (projectId: string, name: string) =>
  useQuery<readonly ObjectVersion[]>({
    queryKey: ['versions', projectId, name],
    queryFn: async ({ signal }) => {
      const body = {
        project_id: projectId,
        filter: { object_ids: [name] },
        metadata_only: true,
        include_tags_and_aliases: true,
        sort_by: [{ field: 'created_at', direction: 'desc' }],
        limit: versionsMax,
      }
      return (await post<{ objs: ObjectVersion[] }>('/objs/query', body, { signal })).objs
    },
  })

/** The version that an address names. @param wanted digest, `latest`, `v<number>`, tag or alias */
const versionNamed = (versions: readonly ObjectVersion[], wanted: string): ObjectVersion | undefined =>
  versions.find(
    ({ digest, version_index: index, is_latest: isLatest, tags, aliases }) =>
      digest === wanted ||
      `v${index}` === wanted ||
      (wanted === 'latest' && isLatest === 1) ||
      tags?.includes(wanted) ||
      aliases?.includes(wanted),
  )

/** Digest of the row table that the content of a dataset names; undefined without one. */
function rowsDigestIn(content: string | undefined): string | undefined {
  const rows = content === undefined ? undefined : memberText(content, ['rows'])
  return /^"[a-z]+:\/\/\/[^"]*\/table\/([0-9a-f]+)"$/.exec(rows ?? '')?.[1]
}

/** The first rows of a row table, as the JSON text of a list. */
const useRows = (projectId: string, digest: string | undefined) =>
  useQuery<string>({
    queryKey: ['rows', projectId, digest],
    enabled: digest !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const body = { project_id: projectId, digest, limit: rowsMax }
      const lines = (await (await postRaw('/table/query_stream', body, { signal })).text()).split('\n')
      return `[${lines.flatMap((line) => memberText(line, ['val']) ?? []).join(',')}]`
    },
  })

/** How many rows a row table has. */
const useRowCount = (projectId: string, digest: string | undefined) =>
  useQuery<number>({
    queryKey: ['row count', projectId, digest],
    enabled: digest !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (await post<{ count: number }>('/table/query_stats', { project_id: projectId, digest }, { signal })).count,
  })

/** JSON text of the content of a version, to the letter: it may be large and its numbers exact. */
const useContent = (projectId: string, version: ObjectVersion | undefined) =>
  useQuery<string>({
    queryKey: ['object', projectId, version?.object_id, version?.digest],
    enabled: version !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const body = { project_id: projectId, object_id: version?.object_id, digest: version?.digest }
      const response = await postRaw('/obj/read', body, { signal })
      return memberText(await response.text(), ['obj', 'val']) ?? 'null'
    },
  })

/** A version of an object or op: its content and its other versions. */
export default function ObjectView() {
  const { params } = useRoute()
  const projectId = useProject()
  const name = params['object'] ?? ''
  const digest = params['version'] ?? 'latest'
  const versions = useVersions(projectId, name)
  const version = versionNamed(versions.data ?? [], digest)
  const content = useContent(projectId, version)
  const rowsDigest = rowsDigestIn(content.data)
  return (
    <Page
      name={name}
      title={name}
      back={{ href: viewPath(projectId, 'traces'), label: objectText.traces }}
      tabs={version && <Badge>{version.kind === 'op' ? objectText.op : objectText.object}</Badge>}
      class={css.body}
      foot={{ facts: versions.data && <span>{objectText.versionsCount(versions.data.length)}</span> }}
    >
      {versions.error ? (
        <ErrorState error={versions.error} retry={() => void versions.refetch()} />
      ) : content.error ? (
        <ErrorState error={content.error} retry={() => void content.refetch()} />
      ) : versions.data !== undefined && version === undefined ? (
        <EmptyState
          icon={FileSearch}
          title={objectText.noObject}
          action={<a href={viewPath(projectId, 'traces')}>{objectText.openTraces}</a>}
        >
          {objectText.noObjectReason(name)}
        </EmptyState>
      ) : version === undefined || content.data === undefined ? (
        <LoadingRows columns="1fr" rows={12} height={20} what={objectText.reading} />
      ) : (
        <>
          <div class={css.contents}>
            <section class={rowsDigest === undefined ? css.content : css.short} aria-label={objectText.content}>
              <JsonView key={version.digest} text={content.data} name={name} />
            </section>
            {rowsDigest !== undefined && <Rows projectId={projectId} digest={rowsDigest} />}
          </div>
          <aside class={css.side}>
            <dl class={css.facts}>
              {factsOf(version).map(([fact, value]) => (
                <div key={fact}>
                  <dt>{fact}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <a class={css.calls} href={viewPath(projectId, 'calls', callsWith(version))}>
              {version.kind === 'op' ? objectText.callsOf : objectText.callsWith}
            </a>
            <Versions projectId={projectId} all={versions.data ?? []} current={version} />
          </aside>
        </>
      )}
    </Page>
  )
}

/** The filter of calls of the op, or of those whose inputs or output name the object. */
const callsWith = ({ kind, object_id: name }: ObjectVersion): string => {
  const node: FilterNode =
    kind === 'op' ? condition('op_name', '=', [name]) : { kind: 'text', text: `/object/${encodeURIComponent(name)}:` }
  return `?f=${encodeURIComponent(formatFilter(node))}`
}

/** The first rows of the table that a dataset names. */
function Rows({ projectId, digest }: { projectId: string; digest: string }) {
  const rows = useRows(projectId, digest)
  const count = useRowCount(projectId, digest).data
  return (
    <section class={css.content} aria-label={objectText.rows}>
      <h2 class={css.rowsHead}>
        {objectText.rows}
        {count !== undefined && <span class={css.count}>{objectText.rowsShown(Math.min(count, rowsMax), count)}</span>}
      </h2>
      {rows.error ? (
        <ErrorState error={rows.error} retry={() => void rows.refetch()} />
      ) : rows.data === undefined ? (
        <LoadingRows columns="1fr" rows={8} height={20} what={objectText.reading} />
      ) : (
        <JsonView text={rows.data} name={objectText.rows} />
      )}
    </section>
  )
}

function factsOf(version: ObjectVersion) {
  const marks = [...(version.tags ?? []), ...(version.aliases ?? [])]
  return [
    [objectText.digest, <Digest key="digest" of={version.digest} />],
    [
      objectText.created,
      <span key="created" data-tip={formatFullTime(version.created_at)}>
        {formatDayMinute(version.created_at)}
      </span>,
    ],
    ...(version.base_object_class ? [[objectText.class, classOf(version)] as const] : []),
    ...(version.size_bytes === null ? [] : [[objectText.size, formatBytes(version.size_bytes)] as const]),
    ...(version.ext_user_id ? [[objectText.user, version.ext_user_id] as const] : []),
    ...(marks.length === 0 ? [] : [[objectText.tags, marks.join(', ')] as const]),
  ] as const
}

const classOf = ({ base_object_class: base, leaf_object_class: leaf }: ObjectVersion): string =>
  leaf && leaf !== base ? `${leaf} (${base})` : (base ?? '')

const Digest = ({ of: digest }: { of: string }) => (
  <span class={css.digest}>
    <code title={digest}>{shortId(digest)}</code>
    <CopyButton text={digest} />
  </span>
)

interface VersionsProps {
  readonly projectId: string
  readonly all: readonly ObjectVersion[]
  readonly current: ObjectVersion
}

const Versions = ({ projectId, all, current }: VersionsProps) => (
  <nav class={css.versions} aria-label={objectText.versions}>
    <h2 class={css.heading}>{objectText.versions}</h2>
    {all.map((version) => (
      <a
        key={version.digest}
        class={classNames(css.version, version.digest === current.digest && css.current)}
        href={objectPath(projectId, version.object_id, version.digest)}
        aria-current={version.digest === current.digest ? 'page' : undefined}
      >
        <span>{objectText.version(version.version_index)}</span>
        {version.is_latest === 1 && <Badge>{objectText.latest}</Badge>}
        <span class={css.when} data-tip={formatFullTime(version.created_at)}>
          {formatWhen(version.created_at)}
        </span>
      </a>
    ))}
  </nav>
)
