import type { ProjectSummary } from '../../api/projects.ts'
import { Sparkline } from '../../components/display/sparkline.tsx'
import { formatCost, formatCount, formatShare } from '../../format/number.ts'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { navigate } from '../../state/location.ts'
import { viewPath } from '../../state/paths.ts'
import { projectsText } from '../../text/projects.ts'
import css from './project-table.module.css'

/** One row a project. The whole row opens it; the name is the link. */
export const ProjectTable = ({ projects }: { projects: readonly ProjectSummary[] }) => (
  <table class={css.table}>
    <thead>
      <tr>
        <th scope="col">{projectsText.project}</th>
        <th scope="col" class={css.chart}>
          {projectsText.callsDay}
        </th>
        <th scope="col" class={css.number} />
        <th scope="col" class={css.number}>
          {projectsText.errors}
        </th>
        <th scope="col" class={css.number}>
          {projectsText.cost}
        </th>
        <th scope="col" class={css.number}>
          {projectsText.calls}
        </th>
        <th scope="col" class={css.number}>
          {projectsText.last}
        </th>
      </tr>
    </thead>
    <tbody>
      {projects.map((project) => (
        <Row key={project.project_id} project={project} />
      ))}
    </tbody>
  </table>
)

function Row({ project }: { project: ProjectSummary }) {
  const { project_id, calls, last_call_at, last_24h } = project
  const href = viewPath(project_id, 'traces')
  const at = project_id.indexOf('/')
  return (
    <tr onClick={(event) => event.target instanceof Element && !event.target.closest('a') && navigate(href)}>
      <th scope="row" class={css.name}>
        <a href={href}>
          <span class={css.entity}>{project_id.slice(0, at)} / </span>
          {project_id.slice(at + 1)}
        </a>
      </th>
      <td class={css.chart}>
        <Sparkline values={last_24h.hourly_calls} label={projectsText.callsOverTime} />
      </td>
      <td class={css.number}>{last_24h.calls === 0 ? <Nothing /> : formatCount(last_24h.calls)}</td>
      <td class={css.number}>
        {last_24h.errors === 0 ? (
          <Nothing />
        ) : (
          <>
            <span class={css.errors}>{formatCount(last_24h.errors)}</span>
            <span class={css.share}>{formatShare(last_24h.errors / last_24h.calls)}</span>
          </>
        )}
      </td>
      <td
        class={css.number}
        data-tip={last_24h.cost === null && last_24h.calls > 0 ? projectsText.unknownCost : undefined}
      >
        {last_24h.cost === null ? <Nothing /> : formatCost(last_24h.cost)}
      </td>
      <td class={css.number}>{formatCount(calls)}</td>
      <td class={css.last} data-tip={last_call_at === null ? undefined : formatFullTime(last_call_at)}>
        {last_call_at === null ? <Nothing /> : formatAgo(last_call_at)}
      </td>
    </tr>
  )
}

const Nothing = () => <span class={css.nothing}>–</span>
