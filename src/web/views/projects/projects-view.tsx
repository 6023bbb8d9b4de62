import { FolderOpen, Plus } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { projectsQuery } from '../../api/projects.ts'
import { Button } from '../../components/controls/button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { SearchField } from '../../components/controls/search-field.tsx'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { demoProgress, demoProject } from '../../demo/demo-progress.ts'
import { formatDuration } from '../../format/duration.ts'
import { Page } from '../../page/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { viewPath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { text } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { partsText } from '../../text/parts.ts'
import { projectsText } from '../../text/projects.ts'
import { DemoCard } from '../start/demo-card.tsx'
import { NoProjects } from './no-projects.tsx'
import { ProjectTable } from './project-table.tsx'
import css from './projects-view.module.css'
import { RecentTraces } from './recent-traces.tsx'

const shape = /^[^/\s?#%]+\/[^/\s?#%]+$/

/** Asks for a name and opens the page that shows how to send traces there. */
function NewProjectDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [name, setName] = useState('')
  const [isWrong, setWrong] = useState(false)
  const go = (event: Event): void => {
    event.preventDefault()
    if (!shape.test(name.trim())) {
      setWrong(true)
      return
    }
    onClose()
    navigate(viewPath(name.trim(), 'start'))
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={projectsText.create}
      foot={
        <>
          <Button onClick={onClose}>{partsText.cancel}</Button>
          <Button kind="primary" onClick={go}>
            {projectsText.createOpen}
          </Button>
        </>
      }
    >
      <p>{projectsText.createHint}</p>
      <form onSubmit={go}>
        <Field
          label={projectsText.createName}
          placeholder="acme/airline-agent"
          autofocus
          value={name}
          error={isWrong ? projectsText.createWrong : undefined}
          onInput={(event) => {
            setName(event.currentTarget.value)
            setWrong(false)
          }}
        />
      </form>
    </Dialog>
  )
}

const state = urlState({ q: text() })

/** All projects in reach, those with the newest calls first. */
export default function ProjectsView() {
  const filter = useRef<HTMLInputElement>(null)
  const [isCreating, setCreating] = useState(false)
  const { q } = state.values.value
  const { timed, elapsedMs } = useTimed(projectsQuery.queryFn)
  const { data, error, refetch } = useQuery({ ...projectsQuery, queryFn: timed })
  const all = data?.projects ?? []
  const shown = all.filter(({ project_id }) => project_id.toLowerCase().includes(q.trim().toLowerCase()))
  // Where it can be deleted again.
  const hasDemo =
    canWrite.value && (demoProgress.value !== undefined || all.some(({ project_id }) => project_id === demoProject))
  const open = (index: number) => shown[index] && navigate(viewPath(shown[index].project_id, 'traces'))
  useKeys([{ keys: 'f', does: projectsText.filter, run: () => filter.current?.focus() }])

  return (
    <Page
      name={projectsText.name}
      title={projectsText.name}
      actions={
        <>
          {all.length > 0 && (
            <SearchField
              class={css.filter}
              inputRef={filter}
              label={projectsText.filter}
              hint="F"
              value={q}
              onType={(typed) => state.replace({ q: typed })}
              onEnter={() => open(0)}
            />
          )}
          {canWrite.value && all.length > 0 && (
            <Button icon={Plus} onClick={() => setCreating(true)}>
              {projectsText.create}
            </Button>
          )}
        </>
      }
      foot={{
        facts: data && (
          <>
            <span>{projectsText.found(shown.length, all.length)}</span>
            {elapsedMs !== undefined && <span>{formatDuration(elapsedMs)}</span>}
          </>
        ),
        keys: [
          ['F', projectsText.hints.filter],
          ['↵', projectsText.hints.open],
          ['⌘K', projectsText.hints.search],
        ],
      }}
      class={css.body}
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 96px 80px 80px 80px 100px" what={projectsText.readingProjects} height={44} />
      ) : all.length === 0 ? (
        <NoProjects onOther={() => setCreating(true)} />
      ) : shown.length === 0 ? (
        <EmptyState
          icon={FolderOpen}
          title={projectsText.noneMatch(q)}
          action={<Button onClick={() => state.commit({ q: '' })}>{projectsText.clear}</Button>}
        >
          {projectsText.noneMatchReason(all.length)}
        </EmptyState>
      ) : (
        <>
          <ProjectTable projects={shown} />
          {q === '' && <RecentTraces projects={all} />}
          {hasDemo && (
            <div class={css.demo}>
              <DemoCard projectId={demoProject} />
            </div>
          )}
        </>
      )}
      {data?.has_more && <p class={css.more}>{projectsText.more}</p>}
      <NewProjectDialog open={isCreating} onClose={() => setCreating(false)} />
    </Page>
  )
}

/** Wraps a query function, and measures its last run. */
function useTimed<Context, Data>(
  run: (context: Context) => Promise<Data>,
): {
  readonly timed: (context: Context) => Promise<Data>
  readonly elapsedMs: number | undefined
} {
  const [elapsedMs, setElapsedMs] = useState<number>()
  const timed = async (context: Context): Promise<Data> => {
    const started = performance.now()
    const data = await run(context)
    setElapsedMs(performance.now() - started)
    return data
  }
  return { timed, elapsedMs }
}
