import { CircleX, Plus, Type } from 'lucide'
import { useMemo, useRef, useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { SearchField } from '../../components/controls/search-field.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { Icon } from '../../components/display/icon.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatCount } from '../../format/number.ts'
import { Page } from '../../page/page.tsx'
import { promptDrafts } from '../../prompt/drafts.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { promptPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { text } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { promptText } from '../../text/prompt.ts'
import { type DayUse, dayUsesQuery } from '../../versions/day-uses.ts'
import { isLeaving } from '../../versions/delete-object.ts'
import { familiesQuery, type ObjectFamily, versionWithAlias } from '../../versions/objects.ts'
import { production } from '../../versions/tag.tsx'
import NewPromptDialog from './new-prompt-dialog.tsx'
import { PromptPage } from './prompt-page.tsx'
import css from './prompts-view.module.css'

const url = urlState({ find: text() })

/** Prompts of a project; one of them in the editor. */
export default function PromptsView() {
  const { params } = useRoute()
  const projectId = useProject()
  const name = params['prompt']
  const isPhone = useIsPhone()
  const field = useRef<HTMLInputElement>(null)
  const [isNaming, setNaming] = useState(false)
  const { data, error, refetch } = useQuery(familiesQuery(projectId, 'prompts'))
  const { find } = url.values.value
  const all = (data ?? []).filter(({ latest }) => !isLeaving(projectId, latest))
  const names = useMemo(() => (data ?? []).map((family) => family.name).sort(), [data])
  const dayUses = useQuery(dayUsesQuery(projectId, names)).data
  const shown = all.filter((family) => family.name.toLowerCase().includes(find.toLowerCase()))
  const step = (by: 1 | -1) => {
    const at = shown.findIndex((family) => family.name === name)
    const next = shown[at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))]
    if (next && next.name !== name) navigate(promptPath(projectId, next.name) + url.searchWith({}))
  }
  useKeys([
    { keys: 'j', does: promptText.keys.next, run: () => step(1) },
    { keys: 'k', does: promptText.keys.previous, run: () => step(-1) },
    { keys: '/', does: promptText.keys.find, run: () => field.current?.focus() },
    // In a comparison, the key goes to the next change.
    ...(canWrite.value && name === undefined
      ? [{ keys: 'n', does: promptText.newPrompt, run: () => setNaming(true) }]
      : []),
  ])
  const drafts = promptDrafts.names(projectId)
  const dialog = isNaming && <NewPromptDialog projectId={projectId} names={names} onClose={() => setNaming(false)} />
  const list =
    error !== null ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : data === undefined ? (
      <LoadingRows columns="1fr" rows={8} height={54} what={promptText.reading} />
    ) : (
      <nav class={css.list} aria-label={promptText.title}>
        <div class={css.find}>
          <SearchField
            label={promptText.find}
            value={find}
            onType={(next) => url.replace({ find: next })}
            onEnter={() => shown[0] && navigate(promptPath(projectId, shown[0].name))}
            hint="/"
            inputRef={field}
          />
          {canWrite.value && (
            <IconButton of={Plus} label={promptText.newPrompt} kind="default" onClick={() => setNaming(true)} />
          )}
        </div>
        {all.length > 0 && (
          <div class={css.heads} aria-hidden>
            <span>{promptText.name}</span>
            <span>{promptText.callsHead}</span>
          </div>
        )}
        <div class={css.rows}>
          {shown.map((family) => (
            <Row
              key={family.name}
              projectId={projectId}
              family={family}
              use={dayUses?.ofObject.get(family.name) ?? (dayUses && { calls: 0, errors: 0 })}
              isCurrent={family.name === name}
              hasDraft={drafts.includes(family.name)}
            />
          ))}
          {drafts
            .filter((draft) => !data.some((family) => family.name === draft) && draft.includes(find))
            .map((draft) => (
              <a
                key={draft}
                class={classNames(css.row, draft === name && css.current)}
                href={promptPath(projectId, draft)}
                aria-current={draft === name ? 'page' : undefined}
              >
                <span class={css.name}>{draft}</span>
                <Badge tone="warn">{promptText.notSaved}</Badge>
                <span class={css.fact}>{promptText.newOne}</span>
              </a>
            ))}
          {shown.length === 0 && find !== '' && <p class={css.none}>{promptText.noneFound(find)}</p>}
        </div>
      </nav>
    )
  if (name !== undefined) {
    return (
      <>
        <PromptPage
          key={name}
          projectId={projectId}
          name={name}
          version={params['version']}
          list={isPhone ? undefined : list}
          count={data && all.length}
          dayUses={dayUses}
        />
        {dialog}
      </>
    )
  }
  const isEmpty = data !== undefined && all.length === 0 && drafts.length === 0
  return (
    <Page
      name={promptText.title}
      title={promptText.title}
      class={css.body}
      foot={{
        facts: data && <span>{promptText.promptsCount(all.length)}</span>,
        keys: [
          ['J K', promptText.keys.nextShort],
          ['/', promptText.keys.findShort],
          ...(canWrite.value ? [['N', promptText.keys.makeShort] as const] : []),
        ],
      }}
    >
      {isEmpty ? (
        <div class={css.pane}>
          <EmptyState
            icon={Type}
            title={promptText.none}
            action={
              canWrite.value && (
                <Button kind="primary" icon={Plus} hint="N" onClick={() => setNaming(true)}>
                  {promptText.newPrompt}
                </Button>
              )
            }
          >
            {promptText.noneReason} {!canWrite.value && promptText.noneReasonRead}
          </EmptyState>
        </div>
      ) : (
        <>
          {list}
          {!isPhone && data !== undefined && (
            <div class={css.pane}>
              <EmptyState icon={Type} title={promptText.choose}>
                {promptText.noneReason}
              </EmptyState>
            </div>
          )}
        </>
      )}
      {dialog}
    </Page>
  )
}

interface RowProps {
  readonly projectId: string
  readonly family: ObjectFamily
  /** Calls of the last 24 hours; undefined while they are counted. */
  readonly use: DayUse | undefined
  readonly isCurrent: boolean
  readonly hasDraft: boolean
}

function Row({ projectId, family: { name, versions }, use, isCurrent, hasDraft }: RowProps) {
  const live = versionWithAlias(versions, production)
  return (
    <a
      class={classNames(css.row, isCurrent && css.current)}
      href={promptPath(projectId, name) + url.searchWith({})}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <span class={css.name} dir="auto">
        {name}
      </span>
      <span class={css.marks}>
        {use !== undefined && use.errors > 0 && (
          <span class={css.failed}>
            <Icon of={CircleX} size={12} />
            {promptText.failedCalls(use.errors)}
          </span>
        )}
        {hasDraft && <Badge tone="warn">{promptText.notSaved}</Badge>}
      </span>
      <span class={css.fact}>
        {live === undefined ? promptText.noProduction : promptText.production(live.version_index)} ·{' '}
        {promptText.versionsCount(versions.length)}
      </span>
      <span class={css.use} data-tip={use && promptText.dayCalls(use.calls)}>
        {use && formatCount(use.calls)}
      </span>
    </a>
  )
}
