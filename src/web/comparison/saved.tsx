import { Star, Trash2 } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { post } from '../api/client.ts'
import { Button, IconButton } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Popover } from '../components/overlays/popover.tsx'
import { deleteSaved, freeId, objectIdOf } from '../saved/saved-objects.ts'
import { comparisonPath } from '../state/judging-paths.ts'
import { queries, useQuery } from '../state/query-signal.ts'
import { writeSearch } from '../state/search-text.ts'
import { canWrite } from '../state/session.ts'
import { showError, showToast } from '../state/toasts.ts'
import { useIsPhone } from '../state/use-media.ts'
import { comparisonText } from '../text/evaluation/comparison.ts'
import { comparisonSchema } from './comparison-data.ts'
import css from './dialogs.module.css'

/** A comparison that somebody gave a name, here or with an SDK. */
interface SavedComparison {
  readonly id: string
  readonly label: string
  readonly runs: readonly string[]
  readonly scores: readonly string[]
}

interface ViewObject {
  readonly object_id: string
  readonly val: { readonly label?: unknown; readonly definition?: unknown }
}

const objectClass = 'ComparisonView'

/** Saved comparisons of a project. */
const savedQuery = (projectId: string) => ({
  queryKey: ['saved comparisons', projectId],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<SavedComparison[]> => {
    const filter = { base_object_classes: [objectClass], latest_only: true }
    const body = { project_id: projectId, filter }
    const { objs } = await post<{ objs: ViewObject[] }>('/objs/query', body, { signal })
    return objs.map(({ object_id, val }) => {
      const { evaluation_call_ids, selected_metrics }: { evaluation_call_ids?: unknown; selected_metrics?: unknown } =
        typeof val.definition === 'object' && val.definition !== null ? val.definition : {}
      return {
        id: object_id,
        label: typeof val.label === 'string' ? val.label : object_id,
        runs: textsOf(evaluation_call_ids),
        scores: textsOf(selected_metrics),
      }
    })
  },
})

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

interface SavedProps {
  readonly projectId: string
  /** The baseline first. */
  readonly runs: readonly string[]
  readonly scores: readonly string[]
}

/** A button with the saved comparisons; it saves the present one, too. */
export function SavedComparisons({ projectId, runs, scores }: SavedProps) {
  const isPhone = useIsPhone()
  const [isOpen, setOpen] = useState(false)
  const [label, setLabel] = useState('')
  const anchor = useRef<HTMLButtonElement>(null)
  const { data = [], isSuccess: isRead, refetch } = useQuery(savedQuery(projectId))
  const refresh = () => queries.invalidateQueries({ queryKey: ['saved comparisons', projectId] })
  const save = async () => {
    const name = label.trim()
    const known = data.find((each) => each.label === name)
    const id = known?.id ?? freeId(objectIdOf('comparison', name), new Set(data.map((each) => each.id)))
    const definition = { evaluation_call_ids: runs, selected_metrics: scores.length === 0 ? null : scores }
    const obj = {
      project_id: projectId,
      object_id: id,
      builtin_object_class: objectClass,
      val: { label: name, definition },
    }
    try {
      await post('/obj/create', { obj })
    } catch (error) {
      showError(error)
      return
    }
    await refresh()
    setOpen(false)
    setLabel('')
    showToast({ kind: 'done', text: comparisonText.savedAs(name) })
  }
  const remove = async (view: SavedComparison) => {
    try {
      await deleteSaved(projectId, view.id)
    } catch (error) {
      showError(error)
      return
    }
    await refresh()
    showToast({ kind: 'done', text: comparisonText.deletedSaved(view.label) })
  }
  const mayBeSaved = canWrite.value && runs.length > 1
  const words = mayBeSaved ? comparisonText.save : comparisonText.saved
  const opens = {
    buttonRef: anchor,
    'aria-haspopup': 'dialog',
    'aria-expanded': isOpen,
    onClick: () => {
      void refetch()
      setOpen(!isOpen)
    },
  } as const
  return (
    <>
      {isPhone ? (
        <IconButton of={Star} label={words} kind="default" {...opens} />
      ) : (
        <Button kind={mayBeSaved ? 'primary' : 'default'} icon={Star} {...opens}>
          {words}
        </Button>
      )}
      <Popover
        open={isOpen}
        onClose={() => setOpen(false)}
        anchor={anchor}
        side="end"
        label={comparisonText.saved}
        class={css.runs}
      >
        {canWrite.value && runs.length > 1 && (
          <form
            class={css.save}
            onSubmit={(event) => {
              event.preventDefault()
              if (label.trim() !== '') void save()
            }}
          >
            <Field
              label={comparisonText.saveName}
              value={label}
              autofocus
              maxLength={128}
              onInput={(event) => setLabel(event.currentTarget.value)}
            />
            <Button type="submit" disabled={label.trim() === ''}>
              {data.some((each) => each.label === label.trim()) ? comparisonText.replace : comparisonText.saveVersion}
            </Button>
          </form>
        )}
        {isRead && (
          <p class={css.note}>{data.length === 0 ? comparisonText.nothingSaved : comparisonText.savedReason}</p>
        )}
        <ul class={css.list}>
          {data.map((view) => (
            <li key={view.id} class={css.saved}>
              <a
                class="cut"
                onClick={() => setOpen(false)}
                href={comparisonPath(
                  projectId,
                  writeSearch(comparisonSchema, '', { runs: view.runs, scores: view.scores }),
                )}
              >
                <bdi>{view.label}</bdi>
              </a>
              <span class={css.note}>{comparisonText.runsCount(view.runs.length)}</span>
              {canWrite.value && (
                <IconButton
                  of={Trash2}
                  size="compact"
                  label={comparisonText.deleteSaved(view.label)}
                  onClick={() => void remove(view)}
                />
              )}
            </li>
          ))}
        </ul>
      </Popover>
    </>
  )
}

/** An id that no other saved comparison has: names in other scripts give the same one. */
