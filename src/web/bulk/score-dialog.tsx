import { useState } from 'preact/hooks'
import { post } from '../api/client.ts'
import { Select } from '../components/controls/select.tsx'
import { FormDialog } from '../components/overlays/form-dialog.tsx'
import { useQuery } from '../state/query-signal.ts'
import { showToast } from '../state/toasts.ts'
import { bulkText } from '../text/bulk.ts'
import css from './queue-dialog.module.css'

/** A stored scorer, in its latest version. */
interface Scorer {
  readonly name: string
  readonly ref: string
}

/** Scorers of a project. @throws {Problem} */
async function readScorers(projectId: string, signal: AbortSignal): Promise<Scorer[]> {
  const { objs } = await post<{ objs: { object_id: string; digest: string }[] }>(
    '/objs/query',
    { project_id: projectId, filter: { base_object_classes: ['Scorer'], latest_only: true }, metadata_only: true },
    { signal },
  )
  return objs.map(({ object_id, digest }) => ({
    name: object_id,
    ref: `ext:///${projectId}/object/${object_id}:${digest}`,
  }))
}

/** Starts to score calls on the server. @throws {Problem} */
const scoreCalls = (projectId: string, ids: readonly string[], ref: string): Promise<unknown> =>
  post('/calls/score', { project_id: projectId, call_ids: ids, scorer_refs: [ref] })

interface ScoreDialogProps {
  readonly projectId: string
  readonly ids: readonly string[]
  readonly onClose: () => void
}

/** Scores the selected calls on the server, with a stored scorer. */
export function ScoreDialog({ projectId, ids, onClose }: ScoreDialogProps) {
  const words = bulkText.score
  const scorers = useQuery({
    queryKey: ['scorers', projectId],
    queryFn: ({ signal }) => readScorers(projectId, signal),
  }).data
  const [chosen, setChosen] = useState<string>()
  const scorer = scorers?.find(({ ref }) => ref === chosen) ?? scorers?.[0]
  const score = async (): Promise<void> => {
    if (!scorer) return
    await scoreCalls(projectId, ids, scorer.ref)
    showToast({ kind: 'done', text: bulkText.scoring(ids.length, scorer.name) })
    onClose()
  }
  return (
    <FormDialog
      title={words.title(ids.length)}
      verb={words.verb}
      isReady={scorer !== undefined}
      formClass={css.form}
      submit={score}
      onClose={onClose}
    >
      {scorers?.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <Select
          label={words.label}
          hint={words.hint}
          value={scorer?.ref ?? ''}
          options={(scorers ?? []).map(({ ref, name }) => ({ id: ref, label: name }))}
          onChange={setChosen}
        />
      )}
    </FormDialog>
  )
}
