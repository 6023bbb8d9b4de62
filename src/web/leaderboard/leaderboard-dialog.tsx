import { Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { Problem } from '../api/client.ts'
import { Button } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { Banner } from '../components/states/banner.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { evaluationsPath, leaderboardPath } from '../state/judging-paths.ts'
import { navigate } from '../state/location.ts'
import { queries } from '../state/query-signal.ts'
import { showToast } from '../state/toasts.ts'
import { leaderboardText } from '../text/evaluation/leaderboard.ts'
import { partsText } from '../text/parts.ts'
import { readObjectsAgain } from '../versions/objects.ts'
import { ColumnLine, firstColumn } from './column-line.tsx'
import css from './leaderboard-dialog.module.css'
import { idOfName, type Leaderboard, leaderboardQuery, type StoredColumn, saveLeaderboard } from './leaderboards.ts'
import { type EvaluationChoice, useMetrics } from './use-metrics.ts'

const words = leaderboardText.dialog

interface LeaderboardDialogProps {
  readonly projectId: string
  /** The one to edit; undefined for a new one. */
  readonly board?: Leaderboard | undefined
  /** Name of the evaluation that a new one begins with. */
  readonly evaluation?: string | undefined
  readonly onClose: () => void
}

/** Makes a leaderboard, or a version of one: name, description, columns. */
export default function LeaderboardDialog({ projectId, board, evaluation, onClose }: LeaderboardDialogProps) {
  const { evaluations, isRead, error, refetch } = useMetrics(projectId)
  const stored = board?.columns.map(
    ({ evaluation_object_ref, scorer_name, summary_metric_path, should_minimize, all_versions }): StoredColumn => ({
      evaluation_object_ref,
      scorer_name,
      summary_metric_path,
      should_minimize,
      all_versions: all_versions === true,
    }),
  )
  const title = board ? words.edit : leaderboardText.make
  if (isRead && (evaluations.length > 0 || stored !== undefined)) {
    const start = stored ?? firstOf(evaluations, evaluation)
    return <Form {...{ projectId, board, title, evaluations, start, onClose }} />
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      class={css.dialog}
      foot={<Button onClick={onClose}>{partsText.close}</Button>}
    >
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : isRead ? (
        <p>
          {words.noRuns} <a href={evaluationsPath(projectId)}>{words.openEvaluations}</a>
        </p>
      ) : (
        <LoadingRows columns="1fr 1fr 1fr" rows={4} height={40} />
      )}
    </Dialog>
  )
}

function firstOf(evaluations: readonly EvaluationChoice[], name: string | undefined) {
  const first = evaluations.find((each) => each.name === name) ?? evaluations[0]
  return first === undefined ? [] : [firstColumn(first)]
}

interface FormProps {
  readonly projectId: string
  readonly board: Leaderboard | undefined
  readonly title: string
  readonly evaluations: readonly EvaluationChoice[]
  readonly start: readonly StoredColumn[]
  readonly onClose: () => void
}

function Form({ projectId, board, title, evaluations, start, onClose }: FormProps) {
  const object = board?.object ?? undefined
  const [name, setName] = useState(board?.name ?? object?.object_id ?? '')
  const [description, setDescription] = useState(board?.description ?? '')
  const [columns, setColumns] = useState(start)
  const [startedFrom, setStartedFrom] = useState(object?.digest)
  const [isBehind, setBehind] = useState(false)
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const id = object?.object_id ?? idOfName(name)
  const nameFault = name === '' || (id !== '' && id.length <= 128) ? undefined : words.nameBad
  const isTwice = new Set(columns.map((column) => JSON.stringify(column))).size < columns.length
  const isReady = name.trim() !== '' && nameFault === undefined && columns.length > 0 && !isTwice
  const save = async () => {
    if (!isReady || busy) return
    setBusy(true)
    setFault(undefined)
    const val = { name: name.trim(), description: description.trim() || null, columns }
    try {
      const { digest } = await saveLeaderboard(projectId, id, val, startedFrom)
      await readObjectsAgain(projectId)
      const saved = await queries.fetchQuery(leaderboardQuery(projectId, id, undefined))
      showToast({
        kind: 'done',
        text:
          board === undefined
            ? words.created(val.name)
            : digest === object?.digest
              ? words.unchanged
              : words.saved(val.name, saved?.object?.version_index ?? 0),
      })
      if (board === undefined) navigate(leaderboardPath(projectId, id))
      else onClose()
    } catch (cause) {
      setBusy(false)
      if (!(cause instanceof Problem && cause.status === 409))
        setFault(cause instanceof Error ? cause.message : `${cause}`)
      else if (board === undefined) setFault(words.nameTaken)
      else {
        const newest = await queries.fetchQuery({ ...leaderboardQuery(projectId, id, 'latest'), staleTime: 0 })
        setStartedFrom(newest?.object?.digest)
        setBehind(true)
      }
    }
  }
  const change = (index: number, column: StoredColumn | undefined) =>
    setColumns(columns.flatMap((each, at) => (at === index ? (column ?? []) : each)))
  const add = () => {
    const last = columns.at(-1)
    const evaluation =
      evaluations.find((each) => last?.evaluation_object_ref.includes(`/${encodeURIComponent(each.name)}:`)) ??
      evaluations[0]
    if (evaluation) setColumns([...columns, firstColumn(evaluation, columns)])
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      class={css.dialog}
      foot={
        <>
          <Button hint="esc" onClick={onClose}>
            {partsText.cancel}
          </Button>
          <Button kind="primary" type="submit" form="leaderboard" busy={busy} disabled={!isReady}>
            {board === undefined ? words.create : words.save}
          </Button>
        </>
      }
    >
      <form
        id="leaderboard"
        class={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {isBehind && (
          <Banner action={<a href={leaderboardPath(projectId, id)}>{words.seeOther}</a>}>{words.conflict}</Banner>
        )}
        <Field
          label={leaderboardText.name}
          value={name}
          autofocus
          autocomplete="off"
          maxLength={128}
          hint={board === undefined ? words.nameHint : undefined}
          error={nameFault}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <Field
          label={words.description}
          value={description}
          autocomplete="off"
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
        <fieldset class={css.columns}>
          <legend>{words.columns}</legend>
          <div class={css.heads} aria-hidden>
            <span>{words.evaluation}</span>
            <span>{words.version}</span>
            <span>{words.metric}</span>
            <span>{words.direction}</span>
          </div>
          {columns.map((column, index) => (
            <ColumnLine
              key={index}
              column={column}
              index={index}
              evaluations={evaluations}
              onChange={(next) => change(index, next)}
              onRemove={columns.length > 1 ? () => change(index, undefined) : undefined}
            />
          ))}
          <Button size="compact" icon={Plus} disabled={evaluations.length === 0} onClick={add}>
            {words.add}
          </Button>
        </fieldset>
        {isTwice && (
          <p class={css.fault} role="alert">
            {words.twice}
          </p>
        )}
        {fault !== undefined && (
          <p class={css.fault} role="alert">
            {fault}
          </p>
        )}
      </form>
    </Dialog>
  )
}
