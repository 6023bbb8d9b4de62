import { Code, Diff, FileSearch } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { secretsQuery } from '../../api/settings.ts'
import { Button } from '../../components/controls/button.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { Tabs } from '../../components/controls/tabs.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatAgo } from '../../format/time.ts'
import { Page } from '../../page/page.tsx'
import { faultsOf } from '../../prompt/faults.ts'
import { type Prompt, promptOf } from '../../prompt/prompt.ts'
import PromptCompare from '../../prompt/prompt-compare.tsx'
import { PromptEditor, withMessage } from '../../prompt/prompt-editor.tsx'
import { SaveBar } from '../../prompt/save-bar.tsx'
import { useDraft } from '../../prompt/use-draft.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { objectPath, promptPath, viewPath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { oneOf } from '../../state/search-text.ts'
import { canWrite, isAdmin } from '../../state/session.ts'
import { offerUndo, showToast } from '../../state/toasts.ts'
import { urlState } from '../../state/url-state.ts'
import { useMedia } from '../../state/use-media.ts'
import { promptText } from '../../text/prompt.ts'
import { compareSearch, compareUrl } from '../../versions/compare-url.ts'
import {
  contentQuery,
  isPrompt,
  notesQuery,
  type ObjectVersion,
  usesQuery,
  versionNamed,
  versionsQuery,
  versionWithAlias,
} from '../../versions/objects.ts'
import { production } from '../../versions/tag.tsx'
import { useVersionActions } from '../../versions/use-version-actions.tsx'
import { authorOf } from '../../versions/version-list.tsx'
import css from './prompt-page.module.css'
import { PromptSide } from './prompt-side.tsx'

const UseItDialog = lazyPart(() => import('../../prompt/use-it-dialog.tsx'), { loading: () => null })

const url = urlState({ tab: oneOf(['editor', 'versions', 'calls']) })

interface PromptPageProps {
  readonly projectId: string
  readonly name: string
  /** Digest, alias, tag or `v<number>`; the latest one without. */
  readonly version: string | undefined
  /** The list of prompts, where there is room for it. */
  readonly list: ComponentChildren
  /** How many prompts there are. */
  readonly count: number | undefined
}

/** A prompt: editor, versions and calls, or two of its versions beside each other. */
export function PromptPage({ projectId, name, version: wanted, list, count }: PromptPageProps) {
  const versions = useQuery(versionsQuery(projectId, name))
  const all = useMemo(() => (versions.data ?? []).filter(({ kind }) => kind !== 'op'), [versions.data])
  const latest = versionNamed(all, 'latest') ?? all[0]
  const named = wanted === undefined ? latest : versionNamed(all, wanted)
  const content = useQuery(contentQuery(projectId, named))
  const base = useMemo(() => basePrompt(content.data), [content.data])
  const { draft, busy, change, save, discard, restore } = useDraft({
    projectId,
    name,
    base: named,
    basePrompt: base,
    latest,
  })
  const uses = useQuery(usesQuery(projectId, all)).data
  const notes = useQuery(notesQuery(projectId, name, latest?.digest)).data
  const secrets = useQuery({ ...secretsQuery, enabled: isAdmin.value }).data?.secrets
  const [isUsing, setUsing] = useState(false)
  const isNarrow = useMedia('(max-width: 1080px)')
  const { tab } = url.values.value
  const { from, to } = compareUrl.values.value
  const isComparing = from !== '' && to !== ''

  const isOther = draft !== undefined && wanted !== undefined && named?.digest !== draft.startedFrom
  const isReadOnly = !canWrite.value || isOther
  const prompt = (isOther ? undefined : draft?.prompt) ?? base
  const started = all.find(({ digest }) => digest === draft?.startedFrom)
  const startedContent = useQuery(contentQuery(projectId, started))
  const before = useMemo(() => basePrompt(startedContent.data), [startedContent.data])
  const faults = useMemo(
    () =>
      prompt === undefined
        ? []
        : faultsOf(
            prompt,
            secrets?.map((secret) => secret.name),
          ),
    [prompt, secrets],
  )
  const nextIndex = Math.max(-1, ...all.map(({ version_index: index }) => index)) + 1
  const isConflict = draft !== undefined && versions.data !== undefined && draft.latest !== latest?.digest
  const canSave = draft !== undefined && !isReadOnly && faults.every(({ level }) => level !== 'fault')

  const saveNow = async (overLatest = false) => {
    if (!canSave) return
    const made = await save(overLatest)
    if (made === undefined) return
    navigate(promptPath(projectId, name), { replace: true })
    const previous = latest
    showToast({
      kind: 'done',
      text: promptText.saved(name, nextIndex),
      ...(previous && {
        action: {
          label: promptText.compare,
          run: () => navigate(promptPath(projectId, name) + compareSearch(previous.digest, made)),
        },
      }),
    })
  }
  const hrefOf = ({ digest }: ObjectVersion) => promptPath(projectId, name, digest)
  const compareHref = (left: ObjectVersion, right: ObjectVersion) =>
    promptPath(projectId, name) + compareSearch(left.digest, right.digest)
  const { menuOf, move, dialogs } = useVersionActions({
    projectId,
    name,
    versions: all,
    current: named,
    uses,
    compareHref,
    hasObjectPage: true,
  })
  const compareNow = () => {
    if (draft !== undefined && !isOther && latest) {
      navigate(promptPath(projectId, name) + compareSearch(started?.digest ?? latest.digest, 'draft'))
      return
    }
    const live = versionWithAlias(all, production)
    const other =
      live !== undefined && live !== named
        ? live
        : all.find((each) => named && each.version_index < named.version_index)
    if (named && other) navigate(compareHref(other, named))
  }
  const closeCompare = () => compareUrl.commit({ from: '', to: '' })
  useKeys(
    isComparing
      ? [{ keys: 'Escape', does: promptText.keys.close, run: closeCompare }]
      : [
          { keys: '$mod+s', does: promptText.keys.save, everywhere: true, run: () => void saveNow() },
          {
            keys: 'Alt+KeyM',
            does: promptText.keys.addMessage,
            everywhere: true,
            run: () => !isReadOnly && prompt && !prompt.isText && change(withMessage(prompt)),
          },
          { keys: 'd', does: promptText.keys.compare, run: compareNow },
        ],
  )

  const isNew = versions.data !== undefined && all.length === 0 && draft !== undefined
  const isMissing = versions.data !== undefined && named === undefined && !isNew
  const isForeign = named !== undefined && !isPrompt(named)
  const canCompare = all.length > 1 || (draft !== undefined && all.length > 0)
  return (
    <Page
      name={name}
      back={list === undefined ? { href: viewPath(projectId, 'prompts'), label: promptText.title } : undefined}
      title={
        <>
          {list !== undefined && (
            <span class={css.crumb}>
              <a href={viewPath(projectId, 'prompts')}>{promptText.title}</a> /{' '}
            </span>
          )}
          <span class="cut" dir="auto">
            {name}
          </span>
          {!isComparing && named && !isNarrow && <Badge tone="outline">{promptText.from(named.version_index)}</Badge>}
          {!isComparing && draft && !isOther && <Badge tone="warn">{promptText.notSaved}</Badge>}
          {!canWrite.value && <Badge>{promptText.readOnly}</Badge>}
        </>
      }
      actions={
        prompt !== undefined && (
          <>
            {isComparing && (
              <Segments
                label={promptText.title}
                options={[
                  { id: 'editor', label: promptText.editor },
                  { id: 'compare', label: promptText.compare },
                ]}
                current="compare"
                onSelect={(next) => next === 'editor' && closeCompare()}
              />
            )}
            {!isComparing && canCompare && (
              <Button kind="quiet" icon={Diff} hint="D" onClick={compareNow}>
                {promptText.compare}
              </Button>
            )}
            {!isComparing && all.length > 0 && (
              <Button icon={Code} onClick={() => setUsing(true)}>
                {promptText.useIt}
              </Button>
            )}
          </>
        )
      }
      class={css.body}
      foot={{
        facts: (
          <>
            {count !== undefined && <span>{promptText.promptsCount(count)}</span>}
            <span>{promptText.versionsCount(all.length)}</span>
          </>
        ),
        keys: isComparing
          ? [
              ['N ⇧N', promptText.keys.changeShort],
              ['X', promptText.keys.swapShort],
              ...(canWrite.value ? [['M', promptText.keys.moveShort] as const] : []),
            ]
          : [
              ['J K', promptText.keys.nextShort],
              ...(canWrite.value ? [['⌘S', promptText.keys.saveShort] as const] : []),
              ['D', promptText.keys.compareShort],
            ],
      }}
    >
      {!isComparing && list}
      {versions.error ? (
        <ErrorState error={versions.error} retry={() => void versions.refetch()} />
      ) : content.error ? (
        <ErrorState error={content.error} retry={() => void content.refetch()} />
      ) : isMissing ? (
        <Nothing
          title={promptText.noPrompt}
          reason={promptText.noPromptReason(name)}
          href={viewPath(projectId, 'prompts')}
          words={promptText.openList}
        />
      ) : isForeign ? (
        <Nothing
          title={promptText.notPrompt}
          reason={promptText.notPromptReason(name)}
          href={objectPath(projectId, name)}
          words={promptText.openObject}
        />
      ) : isComparing && versions.data !== undefined ? (
        <PromptCompare
          projectId={projectId}
          name={name}
          versions={all}
          uses={uses}
          notes={notes}
          draft={draft?.prompt}
          onMove={canWrite.value ? move : undefined}
        />
      ) : prompt === undefined ? (
        <div class={css.pane}>
          <LoadingRows columns="1fr" rows={6} height={96} what={promptText.readingOne} />
        </div>
      ) : (
        <div class={css.columns}>
          {isNarrow && (
            <Tabs
              label={name}
              panelId="prompt-panel"
              class={css.tabs}
              tabs={[
                { id: 'editor', label: promptText.editor },
                { id: 'versions', label: promptText.versions, count: all.length },
                { id: 'calls', label: promptText.calls, count: named && uses?.get(named.digest)?.calls },
              ]}
              current={tab}
              onSelect={(next) => url.commit({ tab: next })}
            />
          )}
          {(!isNarrow || tab === 'editor') && (
            <div class={css.pane} id={isNarrow ? 'prompt-panel' : undefined}>
              {isConflict && !isOther && (
                <Conflict
                  latest={latest}
                  nextIndex={nextIndex}
                  busy={busy}
                  canSave={canSave}
                  onSave={() => void saveNow(true)}
                />
              )}
              {isOther && named && (
                <Banner tone="info" action={<a href={promptPath(projectId, name)}>{promptText.openDraft}</a>}>
                  {promptText.otherVersion(named.version_index)}
                </Banner>
              )}
              <PromptEditor
                key={`${named?.digest} ${isOther}`}
                prompt={prompt}
                before={draft === undefined || isOther ? undefined : (before ?? base)}
                faults={faults}
                isReadOnly={isReadOnly}
                models={modelsOf(prompt)}
                onChange={change}
              />
              {draft !== undefined && !isReadOnly && (
                <SaveBar
                  draft={draft}
                  before={before ?? base}
                  faults={faults}
                  version={nextIndex}
                  busy={busy}
                  isConflict={isConflict}
                  onDescribe={(description) => change({ ...draft.prompt, description })}
                  onSave={() => void saveNow()}
                  onDiscard={() => {
                    discard()
                    offerUndo({ text: promptText.discarded(name), undo: () => restore(draft) })
                    if (all.length === 0) navigate(viewPath(projectId, 'prompts'))
                  }}
                />
              )}
            </div>
          )}
          {(!isNarrow || tab !== 'editor') && (
            <PromptSide
              projectId={projectId}
              versions={all}
              current={named}
              uses={uses}
              notes={notes}
              only={isNarrow ? (tab === 'calls' ? 'calls' : 'versions') : undefined}
              hrefOf={hrefOf}
              menuOf={menuOf}
            />
          )}
        </div>
      )}
      {dialogs}
      {isUsing && named && prompt && (
        <UseItDialog
          projectId={projectId}
          name={name}
          versions={all}
          current={named}
          prompt={base ?? prompt}
          onClose={() => setUsing(false)}
        />
      )}
    </Page>
  )
}

/** The content of a version to be edited: what it changed is not what the next one changes. */
const basePrompt = (text: string | undefined): Prompt | undefined =>
  text === undefined ? undefined : { ...promptOf(JSON.parse(text)), description: '' }

const modelsOf = ({ model }: Prompt): readonly string[] =>
  [...new Set([model, 'gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'claude-sonnet-4-5', 'gemini-2.5-flash'])].filter(Boolean)

interface ConflictProps {
  readonly latest: ObjectVersion | undefined
  readonly nextIndex: number
  readonly busy: boolean
  readonly canSave: boolean
  readonly onSave: () => void
}

/** Another version came first: nothing is merged in silence. */
const Conflict = ({ latest, nextIndex, busy, canSave, onSave }: ConflictProps) => (
  <Banner
    tone="warn"
    action={
      <span class={css.choices}>
        {latest && (
          <Button size="compact" onClick={() => compareUrl.commit({ from: latest.digest, to: 'draft' })}>
            {promptText.showBoth}
          </Button>
        )}
        <Button size="compact" busy={busy} disabled={!canSave} onClick={onSave}>
          {promptText.saveAnyway(nextIndex)}
        </Button>
      </span>
    }
  >
    {latest === undefined
      ? promptText.conflictUnknown
      : promptText.conflict(latest.version_index, authorOf(latest), formatAgo(latest.created_at))}
  </Banner>
)

const Nothing = ({ title, reason, href, words }: { title: string; reason: string; href: string; words: string }) => (
  <div class={css.pane}>
    <EmptyState icon={FileSearch} title={title} action={<a href={href}>{words}</a>}>
      {reason}
    </EmptyState>
  </div>
)
