import { SearchX } from 'lucide'
import { useLocation } from 'preact-iso'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { Page } from '../../page/page.tsx'
import { homePath, settingsPath, viewPath } from '../../state/paths.ts'
import { placeOf } from '../../state/place.ts'
import { shellText } from '../../text/shell.ts'

/** What an address that names no view shows: where to go from here. */
export const NotFound = ({ reason = shellText.notFoundReason }: { reason?: string }) => {
  const { projectId, view } = placeOf(useLocation().path)
  return (
    <Page name={shellText.notFound}>
      <EmptyState
        icon={SearchX}
        title={shellText.notFound}
        action={
          <>
            {projectId !== undefined && <a href={viewPath(projectId, 'traces')}>{shellText.tracesOf(projectId)}</a>}
            {view === 'settings' && <a href={settingsPath('')}>{shellText.settings}</a>}
            <a href={homePath}>{shellText.goHome}</a>
          </>
        }
      >
        {reason}
      </EmptyState>
    </Page>
  )
}
