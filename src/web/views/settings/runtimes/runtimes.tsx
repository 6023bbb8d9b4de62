import { Boxes, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { deleteRuntime, putRuntime, type Runtime, runtimesQuery } from '../../../api/runtimes.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Section } from '../../../components/display/section.tsx'
import { EmptyState } from '../../../components/states/empty-state.tsx'
import { ErrorState } from '../../../components/states/error-state.tsx'
import { LoadingRows } from '../../../components/states/loading-rows.tsx'
import { queries, useQuery } from '../../../state/query-signal.ts'
import { canWrite } from '../../../state/session.ts'
import { offerUndo, showError } from '../../../state/toasts.ts'
import { usePlace } from '../../../state/use-place.ts'
import { runtimesText as words } from '../../../text/settings/runtimes.ts'
import { settingsText } from '../../../text/settings/settings.ts'
import { NoProject } from '../no-project.tsx'
import { RuntimeDialog } from './runtime-dialog.tsx'
import { RuntimeTable } from './runtime-table.tsx'

/** Model servers and gateways of a project. */
export default function RuntimesPage() {
  const { projectId } = usePlace()
  const { data, error, refetch } = useQuery({ ...runtimesQuery(projectId), enabled: projectId !== undefined })
  const [isAdding, setAdding] = useState(false)
  const [before, setBefore] = useState<Runtime>()
  const readAgain = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: runtimesQuery(projectId).queryKey }),
      queries.invalidateQueries({ queryKey: ['model problems'] }),
    ])
  if (projectId === undefined) {
    return <NoProject words={words} />
  }
  const remove = async (runtime: Runtime): Promise<void> => {
    try {
      await deleteRuntime(projectId, runtime.name)
      await readAgain()
      offerUndo({
        text: words.removed(runtime.name),
        undo: async () => {
          await putRuntime(projectId, runtime.name, runtime)
          await readAgain()
        },
      })
    } catch (problem) {
      showError(problem)
    }
  }
  const close = () => {
    setAdding(false)
    setBefore(undefined)
  }
  return (
    <Section
      title={settingsText.sections.runtimes}
      lead={words.lead(projectId)}
      action={
        canWrite.value && (
          <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        )
      }
    >
      {error && data === undefined ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 1fr 1fr 80px" rows={3} height={40} />
      ) : data.length === 0 ? (
        <EmptyState icon={Boxes} title={words.none}>
          {words.noneReason}
        </EmptyState>
      ) : (
        <RuntimeTable
          projectId={projectId}
          runtimes={data}
          onChange={setBefore}
          onRemove={(runtime) => void remove(runtime)}
        />
      )}
      {(isAdding || before) && (
        <RuntimeDialog
          projectId={projectId}
          before={before}
          taken={data?.map(({ name }) => name) ?? []}
          onClose={close}
          onSaved={readAgain}
        />
      )}
    </Section>
  )
}
