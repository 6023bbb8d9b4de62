import { Code, Diff, FileSearch, Play, Trash2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { Tabs } from '../../components/controls/tabs.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { Page } from '../../page/page.tsx'
import type { Prompt } from '../../prompt/prompt.ts'
import PromptCompare from '../../prompt/prompt-compare.tsx'
import { PromptEditor } from '../../prompt/prompt-editor.tsx'
import { PromptSaveBar } from '../../prompt/prompt-save-bar.tsx'
import { objectPath, promptPath, viewPath } from '../../state/paths.ts'
import { oneOf } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { useMedia } from '../../state/use-media.ts'
import { promptText } from '../../text/prompt.ts'
import { versionText } from '../../text/version.ts'
import { Conflict } from '../../versions/conflict.tsx'
import type { DayUses } from '../../versions/day-uses.ts'
import { isPrompt } from '../../versions/objects.ts'
import layout from '../../versions/version-page.module.css'
import { PromptSide } from './prompt-side.tsx'
import { usePrompt } from './use-prompt.ts'

const UseItDialog = lazyPart(() => import('../../prompt/use-it-dialog.tsx'), { loading: () => null })

const url = urlState({ tab: oneOf(['editor', 'versions', 'calls']) })

interface PromptPageProps {
  readonly projectId: string
  readonly name: string
  /** Digest, alias, tag or `v<number>`; the latest one without. */
  readonly version: string | undefined
  /** The list of prompts, where there is space for it. */
  readonly list: ComponentChildren
  /** How many prompts there are. */
  readonly count: number | undefined
  readonly dayUses: DayUses | undefined
}

/** A prompt: editor, versions and calls, or two of its versions beside each other. */
export function PromptPage({ projectId, name, version: wanted, list, count, dayUses }: PromptPageProps) {
  const page = usePrompt({ projectId, name, wanted })
  const { versions, content, uses, notes, all, named, prompt, draft, faults, nextIndex, busy } = page
  const { isComparing, isOther, isReadOnly, isConflict } = page
  const [isUsing, setUsing] = useState(false)
  const isNarrow = useMedia('(max-width: 1080px)')
  const isPhone = useMedia('(max-width: 480px)')
  const { tab } = url.values.value
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
            <span class={layout.crumb}>
              <a href={viewPath(projectId, 'prompts')}>{promptText.title}</a> /
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
                onSelect={(next) => next === 'editor' && page.closeCompare()}
              />
            )}
            {!isComparing && canCompare && (
              <Button kind="quiet" icon={Diff} hint="D" onClick={page.compareNow}>
                {promptText.compare}
              </Button>
            )}
            {!isComparing && named && (
              <Button icon={Play} hint="P" onClick={page.tryNow}>
                {promptText.tryIt}
              </Button>
            )}
            {!isComparing && all.length > 0 && !isPhone && (
              <Button icon={Code} onClick={() => setUsing(true)}>
                {promptText.useIt}
              </Button>
            )}
            {!isComparing && all.length > 0 && (canWrite.value || isPhone) && (
              <MenuButton
                label={versionText.more}
                kind="quiet"
                side="end"
                items={[
                  ...(isPhone ? [{ icon: Code, label: promptText.useIt, run: () => setUsing(true) }] : []),
                  ...(canWrite.value
                    ? [{ icon: Trash2, label: promptText.delete, danger: true, run: page.removeNow }]
                    : []),
                ]}
              />
            )}
          </>
        )
      }
      class={layout.body}
      foot={{
        facts: (
          <>
            {count !== undefined && <span>{promptText.promptsCount(count)}</span>}
            {versions.data && <span>{promptText.versionsCount(all.length)}</span>}
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
          onMove={canWrite.value ? page.move : undefined}
        />
      ) : prompt === undefined ? (
        <div class={layout.pane}>
          <LoadingRows columns="1fr" rows={6} height={96} what={promptText.readingOne} />
        </div>
      ) : (
        <div class={layout.columns}>
          {isNarrow && (
            <Tabs
              label={name}
              panelId="prompt-panel"
              class={layout.tabs}
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
            <div class={layout.pane} id={isNarrow ? 'prompt-panel' : undefined}>
              {isConflict && !isOther && (
                <Conflict
                  latest={page.latest}
                  nextIndex={nextIndex}
                  busy={busy}
                  canSave={page.canSave}
                  onSave={() => void page.saveNow(true)}
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
                before={draft === undefined || isOther ? undefined : page.before}
                faults={faults}
                isReadOnly={isReadOnly}
                models={modelsOf(prompt)}
                onChange={page.change}
              />
              {draft !== undefined && !isReadOnly && (
                <PromptSaveBar
                  draft={draft}
                  before={page.before}
                  faults={faults}
                  version={nextIndex}
                  busy={busy}
                  isConflict={isConflict}
                  onDescribe={(description) => page.change({ ...draft.prompt, description })}
                  onSave={() => void page.saveNow()}
                  onDiscard={page.discardNow}
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
              dayUses={dayUses}
              verdicts={page.verdicts}
              only={isNarrow ? (tab === 'calls' ? 'calls' : 'versions') : undefined}
              hrefOf={page.hrefOf}
              menuOf={page.menuOf}
            />
          )}
        </div>
      )}
      {page.dialogs}
      {isUsing && named && prompt && (
        <UseItDialog
          projectId={projectId}
          name={name}
          versions={all}
          current={named}
          prompt={page.base ?? prompt}
          onClose={() => setUsing(false)}
        />
      )}
    </Page>
  )
}

const modelsOf = ({ model }: Prompt): readonly string[] =>
  [...new Set([model, 'gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'claude-sonnet-4-5', 'gemini-2.5-flash'])].filter(Boolean)

const Nothing = ({ title, reason, href, words }: { title: string; reason: string; href: string; words: string }) => (
  <div class={layout.pane}>
    <EmptyState icon={FileSearch} title={title} action={<a href={href}>{words}</a>}>
      {reason}
    </EmptyState>
  </div>
)
