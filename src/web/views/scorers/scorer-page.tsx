import { Code, Diff, FileSearch, Trash2 } from 'lucide'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Tabs } from '../../components/controls/tabs.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { prettyJson } from '../../diff/pretty-json.ts'
import { Page } from '../../page/page.tsx'
import { BuiltinFields } from '../../scorer/builtin-fields.tsx'
import { JudgeFields } from '../../scorer/judge-fields.tsx'
import { JudgePreview } from '../../scorer/preview.tsx'
import type { Judge } from '../../scorer/scorer.ts'
import editor from '../../scorer/scorer-editor.module.css'
import { ScorerSaveBar } from '../../scorer/scorer-save-bar.tsx'
import { usePreview } from '../../scorer/use-preview.ts'
import { scorerPath } from '../../state/judging-paths.ts'
import { objectPath } from '../../state/paths.ts'
import { oneOf } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone, useMedia } from '../../state/use-media.ts'
import { scorerText as words } from '../../text/evaluation/scorer.ts'
import { compareUrl } from '../../versions/compare-url.ts'
import { Conflict } from '../../versions/conflict.tsx'
import { isScorer } from '../../versions/objects.ts'
import { VersionDiff } from '../../versions/version-diff.tsx'
import layout from '../../versions/version-page.module.css'
import css from './scorer-page.module.css'
import { ScorerSide } from './scorer-side.tsx'
import { useScorer } from './use-scorer.tsx'

const url = urlState({ tab: oneOf(['editor', 'preview', 'versions']) })

interface ScorerPageProps {
  readonly projectId: string
  readonly name: string
  /** Digest, alias, tag or `v<number>`; the latest one without. */
  readonly version: string | undefined
}

/** A scorer: its fields, a preview of a judge, its versions and what uses them. */
export default function ScorerPage({ projectId, name, version: wanted }: ScorerPageProps) {
  const page = useScorer({ projectId, name, wanted })
  const { versions, content, all, named, scorer, draft, nextIndex, isComparing, isOther, isReadOnly } = page
  const isPhone = useIsPhone()
  const isNarrow = useMedia('(max-width: 1180px)')
  const isNew = versions.data !== undefined && all.length === 0 && draft !== undefined
  const isMissing = versions.data !== undefined && named === undefined && !isNew
  const isForeign = named !== undefined && !isScorer(named)
  const { from, to } = compareUrl.values.value
  const className = scorer?.className ?? named?.leaf_object_class ?? null
  const hasPreview = scorer?.judge !== undefined
  const shown = url.values.value.tab === 'preview' && !hasPreview ? 'editor' : url.values.value.tab
  const isShown = (tab: typeof shown) => !isNarrow || shown === tab
  const note = draft && !isOther ? draft.scorer.description : ''
  return (
    <Page
      name={name}
      back={{ href: scorerPath(projectId), label: words.every }}
      title={
        <>
          <span class="cut" dir="auto">
            {name}
          </span>
          {className !== null && !isMissing && !isPhone && <Badge>{words.kindName(className)}</Badge>}
          {!isComparing && named && !isPhone && <Badge tone="outline">{words.from(named.version_index)}</Badge>}
          {!isComparing && draft && !isOther && <Badge tone="warn">{words.notSaved}</Badge>}
          {!canWrite.value && <Badge>{words.readOnly}</Badge>}
        </>
      }
      actions={
        (named || isNew) &&
        !isForeign && (
          <>
            {isComparing ? (
              <Button kind="quiet" hint="esc" onClick={page.closeCompare}>
                {words.editor}
              </Button>
            ) : (
              page.canCompare && <Compare isPhone={isPhone} onClick={page.compareNow} />
            )}
            {named && (
              <MenuButton
                label={words.actions}
                kind="quiet"
                side="end"
                items={[
                  { icon: Code, label: words.content, href: objectPath(projectId, name, named.digest) },
                  ...(canWrite.value ? [{ icon: Trash2, label: words.delete, danger: true, run: page.remove }] : []),
                ]}
              />
            )}
          </>
        )
      }
      class={layout.body}
      foot={{
        facts: versions.data && <span>{words.versionsCount(all.length)}</span>,
        keys: isComparing
          ? [
              ['N ⇧N', words.keys.changeShort],
              ['X', words.keys.swapShort],
            ]
          : [
              ...(canWrite.value ? [['⌘S', words.keys.saveShort] as const] : []),
              ...(hasPreview && canWrite.value ? [['⌘↵', words.keys.runShort] as const] : []),
              ...(hasPreview ? [['[ ]', words.keys.rowShort] as const] : []),
              ['D', words.keys.compareShort],
            ],
      }}
    >
      {versions.error ? (
        <ErrorState error={versions.error} retry={() => void versions.refetch()} />
      ) : content.error ? (
        <ErrorState error={content.error} retry={() => void content.refetch()} />
      ) : isMissing ? (
        <EmptyState
          icon={FileSearch}
          title={words.missing}
          action={<a href={scorerPath(projectId)}>{words.openList}</a>}
        >
          {words.missingReason(name)}
        </EmptyState>
      ) : isForeign ? (
        <EmptyState
          icon={FileSearch}
          title={words.notScorer}
          action={<a href={objectPath(projectId, name)}>{words.openObject}</a>}
        >
          {words.notScorerReason(name)}
        </EmptyState>
      ) : isComparing && versions.data !== undefined ? (
        <VersionDiff
          projectId={projectId}
          versions={all}
          from={from}
          to={to}
          draft={page.draftText === undefined ? undefined : { name: words.yours, text: page.draftText }}
        />
      ) : versions.data === undefined || (scorer === undefined && content.data === undefined) ? (
        <div class={layout.pane}>
          <LoadingRows columns="1fr" rows={6} height={64} what={words.readingOne} />
        </div>
      ) : (
        <div class={classNames(layout.columns, css.columns)}>
          {isNarrow && (
            <Tabs
              label={name}
              panelId="scorer-panel"
              class={layout.tabs}
              tabs={[
                { id: 'editor', label: words.editor },
                ...(hasPreview ? [{ id: 'preview' as const, label: words.preview }] : []),
                { id: 'versions', label: words.versions, count: all.length },
              ]}
              current={shown}
              onSelect={(tab) => url.commit({ tab })}
            />
          )}
          {scorer?.judge !== undefined ? (
            <JudgePanes
              projectId={projectId}
              name={name}
              judge={scorer.judge}
              page={page}
              showsEditor={isShown('editor')}
              showsPreview={isShown('preview')}
              isNarrow={isNarrow}
              onChange={(judge) => page.change({ ...scorer, judge })}
            />
          ) : (
            isShown('editor') && (
              <div class={layout.pane} id={isNarrow ? 'scorer-panel' : undefined}>
                <Notices projectId={projectId} name={name} page={page} />
                {scorer === undefined ? (
                  <>
                    <Banner tone="info">{words.codeReason}</Banner>
                    <pre class={css.content} tabIndex={0}>
                      {prettyJson(content.data ?? 'null')}
                    </pre>
                  </>
                ) : (
                  <div class={editor.editor} data-scroll>
                    <p class={editor.about}>{words.kindDoes(scorer.className)}</p>
                    <BuiltinFields {...{ scorer, isReadOnly }} faults={page.faults} onChange={page.change} />
                  </div>
                )}
                <Saving page={page} note={note} nextIndex={nextIndex} />
              </div>
            )
          )}
          {isShown('versions') && (
            <ScorerSide
              projectId={projectId}
              name={name}
              versions={all}
              current={named}
              uses={page.uses}
              rules={page.rules.data}
              isAlone={isNarrow}
              hrefOf={({ digest }) => scorerPath(projectId, name, digest)}
              menuOf={page.menuOf}
            />
          )}
        </div>
      )}
      {page.dialogs}
    </Page>
  )
}

const Compare = ({ isPhone, onClick }: { isPhone: boolean; onClick: () => void }) =>
  isPhone ? (
    <IconButton of={Diff} label={words.compare} onClick={onClick} />
  ) : (
    <Button kind="quiet" icon={Diff} hint="D" onClick={onClick}>
      {words.compare}
    </Button>
  )

type ScorerState = ReturnType<typeof useScorer>

interface JudgePanesProps {
  readonly projectId: string
  readonly name: string
  readonly judge: Judge
  readonly page: ScorerState
  readonly showsEditor: boolean
  readonly showsPreview: boolean
  readonly isNarrow: boolean
  readonly onChange: (judge: Judge) => void
}

/** The editor of a judge beside its preview. */
function JudgePanes({ projectId, name, judge, page, showsEditor, showsPreview, isNarrow, onChange }: JudgePanesProps) {
  const preview = usePreview(projectId, name, judge)
  const { draft, isOther, faults, isReadOnly, nextIndex } = page
  const isSound = faults.every(({ level }) => level !== 'fault')
  return (
    <>
      {showsEditor && (
        <div class={layout.pane} id={isNarrow ? 'scorer-panel' : undefined}>
          <Notices projectId={projectId} name={name} page={page} />
          <div class={editor.editor} data-scroll>
            <JudgeFields
              name={name}
              judge={judge}
              before={draft === undefined || isOther ? undefined : page.base?.judge}
              faults={faults}
              columns={preview.columns}
              isReadOnly={isReadOnly}
              onChange={onChange}
            />
          </div>
          <Saving page={page} note={draft?.scorer.description ?? ''} nextIndex={nextIndex} />
        </div>
      )}
      {showsPreview && (
        <JudgePreview projectId={projectId} judge={judge} preview={preview} canRun={isSound} isTab={isNarrow} />
      )}
    </>
  )
}

function Notices({ projectId, name, page }: { projectId: string; name: string; page: ScorerState }) {
  const { isConflict, isOther, named, latest, nextIndex, busy, canSave } = page
  return (
    <>
      {isConflict && !isOther && (
        <Conflict {...{ latest, nextIndex, busy, canSave }} onSave={() => void page.save(true)} />
      )}
      {isOther && named && (
        <Banner tone="info" action={<a href={scorerPath(projectId, name)}>{words.openDraft}</a>}>
          {words.otherVersion(named.version_index)}
        </Banner>
      )}
    </>
  )
}

function Saving({ page, note, nextIndex }: { page: ScorerState; note: string; nextIndex: number }) {
  const { draft, isReadOnly, faults, refusal, busy, isConflict, change } = page
  if (draft === undefined || isReadOnly) return null
  return (
    <ScorerSaveBar
      {...{ faults, refusal, busy, isConflict }}
      description={note}
      version={nextIndex}
      onDescribe={(description) => change({ ...draft.scorer, description })}
      onSave={() => void page.save()}
      onDiscard={page.discard}
    />
  )
}
