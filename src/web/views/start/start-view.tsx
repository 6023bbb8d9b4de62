import { projectsQuery } from '../../api/projects.ts'
import { Page } from '../../page/page.tsx'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { startText } from '../../text/start.ts'
import css from './send-traces.module.css'
import { SendTraces } from './send-traces.tsx'

/** How to send traces to the project; it listens, and opens the first one. */
export default function StartView() {
  const projectId = useProject()
  const { data } = useQuery(projectsQuery)
  const isEmpty = data && !data.projects.some(({ project_id }) => project_id === projectId)
  return (
    <Page name={startText.hasTraces} class={css.body}>
      <div class={css.column} aria-busy={isEmpty === undefined}>
        <h1 class={css.title}>{isEmpty ? startText.title : startText.hasTraces}</h1>
        <p class={css.lead}>{isEmpty ? startText.listensEmpty : isEmpty === false ? startText.listensMore : ' '}</p>
        <SendTraces projectId={projectId} isEmpty={isEmpty} />
      </div>
    </Page>
  )
}
