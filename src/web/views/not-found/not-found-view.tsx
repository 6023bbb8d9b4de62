import { SearchX } from 'lucide'
import { useLocation } from 'preact-iso'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { Page } from '../../page/page.tsx'
import { homePath, settingsPath, viewPath } from '../../state/paths.ts'
import { placeOf } from '../../state/place.ts'
import { shellText } from '../../text/shell.ts'

/** The page for an address without a view, with links to others. */
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
