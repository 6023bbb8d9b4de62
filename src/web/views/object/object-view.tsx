import { FileSearch, Trash2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRoute } from 'preact-iso'
import { post, postRaw } from '../../api/client.ts'
import { CopyButton } from '../../components/controls/copy-button.tsx'
import { Tabs } from '../../components/controls/tabs.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { condition, type FilterNode } from '../../filter/expression.ts'
import { formatFilter } from '../../filter/format-filter.ts'
import { shortId } from '../../format/ids.ts'
import { formatBytes } from '../../format/number.ts'
import { formatDayMinute, formatFullTime } from '../../format/time.ts'
import { JsonView } from '../../json/json-view.tsx'
import { memberText } from '../../json/scan.ts'
import { Page } from '../../page/page.tsx'
import { scorerPath } from '../../state/judging-paths.ts'
import { navigate } from '../../state/location.ts'
import { datasetPath, objectPath, promptPath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { oneOf } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone, useMedia } from '../../state/use-media.ts'
import { objectText } from '../../text/object.ts'
import { versionText } from '../../text/version.ts'
import { compareSearch, compareUrl } from '../../versions/compare-url.ts'
import { deleteObjectLater } from '../../versions/delete-object.ts'
import {
  authorOf,
  classOf,
  contentQuery,
  isDataset,
  isPrompt,
  isScorer,
  type ObjectVersion,
  usesQuery,
  versionNamed,
  versionsQuery,
} from '../../versions/objects.ts'
import { marksOf, Tags } from '../../versions/tag.tsx'
import { useVersionActions } from '../../versions/use-version-actions.tsx'
import { VersionDiff } from '../../versions/version-diff.tsx'
import { VersionList } from '../../versions/version-list.tsx'
import css from './object-view.module.css'

/** Rows of a dataset that are shown. */
const rowsMax = 100

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

const panels = ['content', 'versions'] as const
const url = urlState({ tab: oneOf(panels) })

/** A version of an object or op: its content and its other versions, any two of them compared. */
export default function ObjectView() {
  const { params } = useRoute()
  const projectId = useProject()
  const name = params['object'] ?? ''
  const versions = useQuery(versionsQuery(projectId, name))
  const all = versions.data ?? []
  const version = versionNamed(all, params['version'] ?? 'latest')
  const content = useQuery(contentQuery(projectId, version))
  const uses = useQuery(usesQuery(projectId, all)).data
  const { from, to } = compareUrl.values.value
  const isComparing = from !== '' && to !== ''
  const compareHref = (left: ObjectVersion, right: ObjectVersion) =>
    objectPath(projectId, name) + compareSearch(left.digest, right.digest)
  const { menuOf, dialogs } = useVersionActions({ projectId, name, versions: all, current: version, uses, compareHref })
  const isNarrow = useMedia('(max-width: 1080px)')
  const isPhone = useIsPhone()
  const { tab } = url.values.value
  const [before] = all.filter(({ version_index: index }) => version !== undefined && index < version.version_index)
  return (
    <Page
      name={name}
      title={
        <>
          <span class="cut" dir="auto">
            {name}
          </span>
          {version && !isPhone && <Badge>{classOf(version) || objectText.object}</Badge>}
        </>
      }
      back={{ href: viewPath(projectId, 'objects'), label: objectText.objects }}
      actions={
        version && (
          <>
            {isComparing ? (
              <LinkButton href={objectPath(projectId, name, params['version'])}>{objectText.content}</LinkButton>
            ) : (
              before && <LinkButton href={compareHref(before, version)}>{objectText.compare}</LinkButton>
            )}
            {isDataset(version) && (
              <LinkButton href={datasetPath(projectId, name, params['version'])}>{objectText.openDataset}</LinkButton>
            )}
            {isPrompt(version) && (
              <LinkButton href={promptPath(projectId, name, params['version'])}>{objectText.openPrompt}</LinkButton>
            )}
            {isScorer(version) && (
              <LinkButton href={scorerPath(projectId, name, params['version'])}>{objectText.openScorer}</LinkButton>
            )}
            {canWrite.value && !isComparing && version.kind !== 'op' && (
              <MenuButton
                label={versionText.more}
                kind="quiet"
                side="end"
                items={[
                  {
                    icon: Trash2,
                    label: objectText.delete,
                    danger: true,
                    run: () => {
                      navigate(viewPath(projectId, 'objects'))
                      const own = all.filter(({ kind }) => kind !== 'op')
                      deleteObjectLater(projectId, name, own)
                    },
                  },
                ]}
              />
            )}
          </>
        )
      }
      class={css.body}
      foot={{
        facts: versions.data && <span>{objectText.versionsCount(versions.data.length)}</span>,
        keys: isComparing
          ? [
              ['N ⇧N', versionText.changeShort],
              ['X', versionText.swapShort],
            ]
          : [],
      }}
    >
      {versions.error ? (
        <ErrorState error={versions.error} retry={() => void versions.refetch()} />
      ) : content.error ? (
        <ErrorState error={content.error} retry={() => void content.refetch()} />
      ) : versions.data !== undefined && version === undefined ? (
        <EmptyState
          icon={FileSearch}
          title={objectText.noObject}
          action={<a href={viewPath(projectId, 'objects')}>{objectText.openObjects}</a>}
        >
          {objectText.noObjectReason(name)}
        </EmptyState>
      ) : version === undefined || content.data === undefined ? (
        <LoadingRows columns="1fr" rows={12} height={20} what={objectText.reading} />
      ) : isComparing ? (
        <VersionDiff projectId={projectId} versions={all} from={from} to={to} />
      ) : (
        <>
          {isNarrow && (
            <Tabs
              label={name}
              panelId="object-panel"
              class={css.tabs}
              tabs={[
                { id: 'content', label: objectText.content },
                { id: 'versions', label: objectText.versions, count: all.length },
              ]}
              current={tab}
              onSelect={(next) => url.commit({ tab: next })}
            />
          )}
          {(!isNarrow || tab === 'content') && <Contents projectId={projectId} version={version} text={content.data} />}
          {(!isNarrow || tab === 'versions') && (
            <aside class={css.side} id={isNarrow ? 'object-panel' : undefined}>
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
              <h2 class={css.heading}>
                {objectText.versions} <span class={css.count}>{all.length}</span>
              </h2>
              <nav aria-label={objectText.versions} class={css.versions}>
                <VersionList
                  projectId={projectId}
                  versions={all}
                  current={version}
                  uses={uses}
                  hrefOf={(each) => objectPath(projectId, name, each.digest)}
                  menuOf={menuOf}
                />
              </nav>
            </aside>
          )}
        </>
      )}
      {dialogs}
    </Page>
  )
}

/** The content of a version, and the rows of a dataset. */
function Contents({ projectId, version, text }: { projectId: string; version: ObjectVersion; text: string }) {
  const rowsDigest = rowsDigestIn(text)
  return (
    <div class={css.contents} id="object-panel">
      <section class={rowsDigest === undefined ? css.content : css.short} aria-label={objectText.content}>
        <JsonView key={version.digest} text={text} name={version.object_id} />
      </section>
      {rowsDigest !== undefined && <Rows projectId={projectId} digest={rowsDigest} />}
    </div>
  )
}

const LinkButton = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a class={css.link} href={href}>
    {children}
  </a>
)

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
  const marks = marksOf(version)
  return [
    [objectText.digest, <Digest key="digest" of={version.digest} />],
    [
      objectText.created,
      <span key="created" data-tip={formatFullTime(version.created_at)}>
        {formatDayMinute(version.created_at)}
      </span>,
    ],
    ...(version.base_object_class ? [[objectText.class, bothClasses(version)] as const] : []),
    ...(version.size_bytes === null ? [] : [[objectText.size, formatBytes(version.size_bytes)] as const]),
    [objectText.user, authorOf(version)],
    ...(marks.length === 0 ? [] : [[objectText.tags, <Tags key="tags" version={version} />] as const]),
  ] as const
}

const bothClasses = ({ base_object_class: base, leaf_object_class: leaf }: ObjectVersion): string =>
  leaf && leaf !== base ? `${leaf} (${base})` : (base ?? '')

const Digest = ({ of: digest }: { of: string }) => (
  <span class={css.digest}>
    <code title={digest}>{shortId(digest)}</code>
    <CopyButton text={digest} />
  </span>
)
