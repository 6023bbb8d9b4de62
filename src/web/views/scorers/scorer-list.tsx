import { Gauge, Plus } from 'lucide'
import { rulesQuery } from '../../api/rules.ts'
import { Button } from '../../components/controls/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { FoundList, useListKeys } from '../../components/list/found-list.tsx'
import lists from '../../components/list/list.module.css'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { runsQuery } from '../../evaluation/runs.ts'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { Page } from '../../page/page.tsx'
import { queuesQuery } from '../../review/queues.ts'
import { scorerDraftsOf } from '../../scorer/drafts.ts'
import { editableClasses, judgeClass } from '../../scorer/scorer.ts'
import { rulesWith, runsWith, scorersQuery } from '../../scorer/scorers.ts'
import { evaluationsPath, scorerPath } from '../../state/judging-paths.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { queuePath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { flag, number, text } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { scorerText as words } from '../../text/evaluation/scorer.ts'
import { isLeaving } from '../../versions/delete-object.ts'
import NewScorerDialog from './new-scorer-dialog.tsx'
import css from './scorer-list.module.css'

const url = urlState({ find: text(), at: number(0), new: flag() })

/** A line of the list: a scorer, changes that are not saved yet, or the people of a queue. */
interface Entry {
  readonly key: string
  readonly name: string
  readonly href: string
  readonly kind: string
  readonly checks: string
  readonly hasDraft: boolean
  /** Undefined while it is read. */
  readonly usedBy: string | undefined
  readonly changedAt: string | undefined
}

/** Scorers of a project: those of the server, those of code, and people. */
export default function ScorerList({ projectId }: { projectId: string }) {
  const { data, error, refetch } = useQuery(scorersQuery(projectId))
  const queues = useQuery(queuesQuery(projectId))
  const runs = useQuery(runsQuery(projectId))
  const rules = useQuery(rulesQuery(projectId))
  const { find, at, new: isMaking } = url.values.value
  const drafts = scorerDraftsOf(projectId)
  const usedBy = (name: string): string | undefined => {
    if (runs.data === undefined || rules.data === undefined) return undefined
    const [ofRuns, ofRules] = [runsWith(runs.data.runs, name).length, rulesWith(rules.data, name).length]
    return (
      [...(ofRuns > 0 ? [words.runs(ofRuns)] : []), ...(ofRules > 0 ? [words.rules(ofRules)] : [])].join(', ') ||
      words.unused
    )
  }
  const listed = (data ?? []).filter(({ latest }) => !isLeaving(projectId, latest))
  const stored = listed.map(({ name, latest, looksAt }): Entry => {
    const { leaf_object_class: className, created_at: changedAt } = latest
    const checks =
      className === judgeClass
        ? words.judgedBy(looksAt)
        : className === 'RegexScorer'
          ? words.matches(looksAt)
          : editableClasses.includes(className ?? '')
            ? [words.kindDoes(className ?? ''), ...(looksAt === '' ? [] : [words.column(looksAt)])].join(' ')
            : words.ofCode
    return {
      key: `scorer ${name}`,
      name,
      href: scorerPath(projectId, name),
      kind: words.kindName(className),
      checks,
      hasDraft: drafts.has(name),
      usedBy: usedBy(name),
      changedAt,
    }
  })
  const unsaved = [...drafts].flatMap(([name, { scorer }]): Entry[] =>
    stored.some((each) => each.name === name)
      ? []
      : [
          {
            key: `draft ${name}`,
            name,
            href: scorerPath(projectId, name),
            kind: words.kindName(scorer.className),
            checks: words.kindDoes(scorer.className),
            hasDraft: true,
            usedBy: words.unused,
            changedAt: undefined,
          },
        ],
  )
  const people = (queues.data ?? []).map(
    ({ id, name, scorer_refs: fields, created_at }): Entry => ({
      key: `queue ${id}`,
      name,
      href: queuePath(projectId, id),
      kind: words.human,
      checks: words.questions(fields.length),
      hasDraft: false,
      usedBy: '',
      changedAt: created_at,
    }),
  )
  const all = [...unsaved, ...stored, ...people]
  const shown = all.filter(({ name, kind, checks }) =>
    `${name} ${kind} ${checks}`.toLowerCase().includes(find.toLowerCase()),
  )
  const make = () => canWrite.value && url.commit({ new: true })
  useKeys(canWrite.value ? [{ keys: 'n', does: words.make, run: make }] : [])
  const keys = useListKeys({
    shown,
    at,
    onAt: (next) => url.replace({ at: next }),
    open: ({ href }) => navigate(href),
    words: { next: words.keys.next, previous: words.keys.previous, open: words.keys.open, find: words.find },
  })
  const makeButton = canWrite.value && (
    <Button kind="primary" icon={Plus} hint="N" onClick={make}>
      {words.make}
    </Button>
  )
  const failed = error ?? queues.error
  return (
    <Page
      name={words.title}
      title={words.title}
      back={{ href: evaluationsPath(projectId), label: words.toRuns }}
      class={lists.body}
      actions={all.length > 0 && makeButton}
      foot={{
        facts: data && <span>{words.facts(shown.length, all.length)}</span>,
        keys: [
          ['J K', words.keys.moveShort],
          ['↵', words.keys.openShort],
          ['/', words.keys.findShort],
          ...(canWrite.value ? [['N', words.keys.makeShort] as const] : []),
        ],
      }}
    >
      {failed ? (
        <ErrorState
          error={failed}
          retry={() => {
            void refetch()
            void queues.refetch()
          }}
        />
      ) : data === undefined || queues.data === undefined ? (
        <LoadingRows columns="2fr 1fr 2fr 1fr 96px" rows={14} height={40} what={words.reading} />
      ) : all.length === 0 ? (
        <EmptyState icon={Gauge} title={words.none} action={makeButton}>
          {words.noneReason} {!canWrite.value && words.noneReasonRead}
        </EmptyState>
      ) : (
        <FoundList
          keys={keys}
          shown={shown}
          find={find}
          icon={Gauge}
          words={{ find: words.find, noneFound: words.noneFound(find), clear: words.clear }}
          onFind={(next) => url.replace({ find: next, at: 0 })}
          onClear={() => url.commit({ find: '' })}
          open={({ href }) => navigate(href)}
          head={<Head />}
          render={(entry, index) => <Row key={entry.key} entry={entry} isCurrent={index + 1 === at} />}
        />
      )}
      {isMaking && canWrite.value && (
        <NewScorerDialog
          projectId={projectId}
          names={[...stored, ...unsaved].map(({ name }) => name)}
          onClose={() => url.commit({ new: false })}
        />
      )}
    </Page>
  )
}

const Head = () => (
  <div class={classNames(lists.row, css.row, lists.head)} aria-hidden>
    <span>{words.name}</span>
    <span>{words.kind}</span>
    <span>{words.checks}</span>
    <span>{words.usedIn}</span>
    <span class={lists.number}>{words.changed}</span>
  </div>
)

function Row({ entry, isCurrent }: { entry: Entry; isCurrent: boolean }) {
  const { name, href, kind, checks, hasDraft, usedBy, changedAt } = entry
  return (
    <a class={classNames(lists.row, css.row, lists.link, isCurrent && lists.current)} href={href}>
      <span class={classNames(lists.name, css.name)}>
        <span class="cut" dir="auto">
          {name}
        </span>
        {hasDraft && <Badge tone="warn">{words.notSaved}</Badge>}
      </span>
      <span class={css.kind}>{kind}</span>
      <span class={classNames(lists.grey, css.checks)} dir="auto">
        {checks}
      </span>
      <span class={classNames(lists.grey, css.used)}>{usedBy ?? <span class={css.bar} aria-hidden />}</span>
      <span class={classNames(lists.number, lists.grey, css.when)} data-tip={changedAt && formatFullTime(changedAt)}>
        {changedAt && formatAgo(changedAt)}
      </span>
    </a>
  )
}
